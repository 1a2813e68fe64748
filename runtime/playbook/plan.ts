import type { CaseStatus, Digest, Disposition, Json, Millis, Severity } from '../domain/index.ts'
import type { Condition, Meter, Path, ValueTemplate, Work } from '../expressions/index.ts'
import type { Bundle, RetryRule } from '../plugin/index.ts'

/** A compiled playbook. It never changes, and all its runs share it. */
export interface Plan {
  readonly name: string
  /** The digest of the playbook's text. */
  readonly digest: Digest
  /** The normalised alert types. Empty for a sub-playbook. */
  readonly types: readonly string[]
  readonly description: string
  readonly inputs: readonly PlanInput[]
  readonly slots: Readonly<Record<string, PlanSlot>>
  readonly limits: PlanLimits
  readonly case: { readonly title: ValueTemplate | null; readonly severity: Severity; readonly join: PlanJoin | null }
  /** How to recognize alerts that repeat earlier ones. Null: every alert is investigated. */
  readonly duplicates: PlanDuplicates | null
  readonly steps: readonly PlanStep[]
  readonly verdict: ValueTemplate | null
  /** What the playbook returns to a playbook that runs it, by name. Null: nothing. */
  readonly outputs: ValueTemplate | null
  /** All sub-playbooks that it runs, directly or through others, by name. */
  readonly playbooks: Readonly<Record<string, Plan>>
}

/**
 * Says when a new alert continues an open case: the case has the same key, and it changed within
 * the window.
 */
export interface PlanJoin {
  readonly key: ValueTemplate
  readonly within: Millis
}

/** Says when alerts are duplicates: they have the same fingerprint, within the window of the first one. */
export interface PlanDuplicates {
  readonly fingerprint: ValueTemplate
  readonly within: Millis
}

export interface PlanSlot {
  readonly integration: string
  readonly optional: boolean
}

export interface PlanLimits {
  /** Null if the playbook sets no limit. */
  readonly time: Millis | null
  readonly steps: number
  /** The most bytes of one step's output. */
  readonly output: number
  /** The most work units for all conditions and templates of one run together. */
  readonly evaluation: Work
  /** How many runs of this playbook one process executes at once. Null: only the worker's limit applies. */
  readonly concurrency: number | null
  /** The most calls of each impact, and the most different targets. Null: the playbook sets no limit. */
  readonly impact: { readonly high: number | null; readonly write: number | null; readonly targets: number | null }
}

export interface PlanInput {
  readonly name: string
  /** The JSON Schema of the value. */
  readonly schema: Json
  readonly from: readonly InputSource[]
  readonly required: boolean
  readonly default: Json | undefined
  /** What happens to a value that does not fit. */
  readonly unfit: 'error' | 'missing'
  /** Returns what does not fit the schema. Empty if the value fits. */
  check(value: Json): readonly string[]
}

export type InputSource =
  | { readonly path: Path }
  /**
   * Applies an RE2 pattern to the content's text. Returns the group `value`, else the first group,
   * else the whole match.
   */
  | { readonly find: (text: string, meter: Meter) => string | null }

interface StepBase {
  readonly id: string
  /** Line and column in the playbook, both from 1. */
  readonly at: { readonly line: number; readonly column: number }
  /** The step's `if`. The step is skipped if it is false. */
  readonly condition: Condition | null
  /** `continue` goes on with the next step after a failure. A list of steps runs instead. */
  readonly onError: 'fail' | 'continue' | readonly PlanStep[]
}

export interface SkillStep extends StepBase {
  readonly kind: 'skill'
  readonly integration: string
  readonly skill: string
  /** The slot whose connection the call uses. */
  readonly slot: string
  readonly with: ValueTemplate
  readonly retry: RetryRule | null
  readonly timeout: Millis | null
  /** The ids of the `approve` steps that cover this step. It needs the approval of one of them. */
  readonly approvals: readonly string[]
}

export interface SetStep extends StepBase {
  readonly kind: 'set'
  readonly values: ValueTemplate
}

export interface IfStep extends StepBase {
  readonly kind: 'if'
  readonly test: Condition
  readonly then: readonly PlanStep[]
  readonly else: readonly PlanStep[]
}

export interface SwitchStep extends StepBase {
  readonly kind: 'switch'
  /** `when` is null for the default case. */
  readonly cases: readonly { readonly when: Condition | null; readonly steps: readonly PlanStep[] }[]
}

export interface ForeachStep extends StepBase {
  readonly kind: 'foreach'
  readonly items: ValueTemplate
  readonly as: string
  readonly maxItems: number
  /** With 1, the items run one after the other. */
  readonly concurrency: number
  readonly steps: readonly PlanStep[]
}

export interface ParallelStep extends StepBase {
  readonly kind: 'parallel'
  /** A number: at least this many branches. */
  readonly join: 'all' | 'any' | number
  readonly rest: 'finish' | 'cancel'
  readonly branches: readonly { readonly name: string; readonly steps: readonly PlanStep[] }[]
}

export interface PlaybookStep extends StepBase {
  readonly kind: 'playbook'
  readonly playbook: Plan
  readonly with: ValueTemplate
}

export interface ScriptStep extends StepBase {
  readonly kind: 'script'
  readonly bundle: Bundle
  /** The arguments, as an object. */
  readonly with: ValueTemplate
  /** The JSON Schema of the return value. Null: any value. */
  readonly output: Json | null
  readonly timeout: Millis
  /** Returns the first fault of a value against `output`. Null if it fits. */
  checkOutput(value: Json): string | null
}

export interface CaseStep extends StepBase {
  readonly kind: 'case'
  readonly note: ValueTemplate | null
  readonly finding: ValueTemplate | null
  readonly severity: Severity | null
  readonly disposition: Disposition | null
  readonly status: CaseStatus | null
}

export interface StopStep extends StepBase {
  readonly kind: 'stop'
  readonly outcome: 'completed' | 'failed'
  readonly reason: ValueTemplate | null
}

export interface WaitStep extends StepBase {
  readonly kind: 'wait'
  readonly wait: Wait
}

export type Wait =
  | { readonly kind: 'for'; readonly duration: Millis }
  | { readonly kind: 'until'; readonly time: ValueTemplate }
  | {
      readonly kind: 'poll'
      /** A read skill. */
      readonly poll: SkillStep
      readonly every: Millis
      /** The condition to wait for. It sees what a step sees, and the answer as `output`. */
      readonly until: Condition
      readonly atMost: Millis
    }

export interface ApproveStep extends StepBase {
  readonly kind: 'approve'
  readonly title: ValueTemplate
  /** The principals that may decide. Empty: everybody who may answer decisions. */
  readonly by: readonly string[]
  readonly approvers: number
  /** Null: the decision stays open. */
  readonly expires: Millis | null
  /** The ids of the steps that need this approval. */
  readonly covers: readonly string[]
  /** The steps in `covers`. The decision shows their input. */
  readonly covered: readonly SkillStep[]
}

/** Returns the most calls of a poll: one at once, one after each `every`, and one at the end. */
export function mostPolls({ every, atMost }: { readonly every: Millis; readonly atMost: Millis }): number {
  return Math.ceil(atMost / every) + 1
}

export type PlanStep =
  | SkillStep
  | SetStep
  | IfStep
  | SwitchStep
  | ForeachStep
  | ParallelStep
  | PlaybookStep
  | ScriptStep
  | CaseStep
  | StopStep
  | WaitStep
  | ApproveStep
