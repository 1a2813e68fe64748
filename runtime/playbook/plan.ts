import type { CaseStatus, Digest, Disposition, Json, Millis, Severity } from '../domain/index.ts'
import type { Condition, Meter, Path, ValueTemplate, Work } from '../expressions/index.ts'
import type { Bundle, RetryRule } from '../plugin/index.ts'

/** A playbook compiled once, immutable, shared by all its runs. */
export interface Plan {
  readonly name: string
  /** Digest of the playbook's text. */
  readonly digest: Digest
  /** Normalised alert types; empty for a sub-playbook. */
  readonly types: readonly string[]
  readonly description: string
  readonly inputs: readonly PlanInput[]
  readonly slots: Readonly<Record<string, PlanSlot>>
  readonly limits: PlanLimits
  readonly case: { readonly title: ValueTemplate | null; readonly severity: Severity; readonly join: PlanJoin | null }
  /** By what alerts are known to repeat one another; null: each is investigated. */
  readonly duplicates: PlanDuplicates | null
  readonly steps: readonly PlanStep[]
  readonly verdict: ValueTemplate | null
  /** What a playbook that runs it gets, by name; null: nothing. */
  readonly outputs: ValueTemplate | null
  /** The sub-playbooks that it runs, and those that they run, by name. */
  readonly playbooks: Readonly<Record<string, Plan>>
}

/** Continue an open case of the organization that was opened with the same key and changed within the window. */
export interface PlanJoin {
  readonly key: ValueTemplate
  readonly within: Millis
}

/** Alerts of one fingerprint within the window of the first of them are its duplicates. */
export interface PlanDuplicates {
  readonly fingerprint: ValueTemplate
  readonly within: Millis
}

export interface PlanSlot {
  readonly integration: string
  readonly optional: boolean
}

export interface PlanLimits {
  /** Null: no limit of its own. */
  readonly time: Millis | null
  readonly steps: number
  /** Bytes of one step's output. */
  readonly output: number
  /** The work units that all conditions and templates of one run may take together. */
  readonly evaluation: Work
  /** How many runs of this playbook one process works on at once; null: no limit besides that of the worker. */
  readonly concurrency: number | null
  /** How many calls of each impact, and how many different targets; null: the playbook sets no limit. */
  readonly impact: { readonly high: number | null; readonly write: number | null; readonly targets: number | null }
}

export interface PlanInput {
  readonly name: string
  /** JSON Schema of the value. */
  readonly schema: Json
  readonly from: readonly InputSource[]
  readonly required: boolean
  readonly default: Json | undefined
  /** What becomes of a value that does not fit. */
  readonly unfit: 'error' | 'missing'
  /** What does not fit the schema; empty when it fits. */
  check(value: Json): readonly string[]
}

export type InputSource =
  | { readonly path: Path }
  /** RE2 over the content's text; the value is the group `value`, else the first group, else the whole match. */
  | { readonly find: (text: string, meter: Meter) => string | null }

interface StepBase {
  readonly id: string
  /** Line and column in the playbook, from 1. */
  readonly at: { readonly line: number; readonly column: number }
  /** The modifier `if`; the step is skipped when it does not hold. */
  readonly condition: Condition | null
  /** `continue` goes on after a failure; a list of steps runs instead. */
  readonly onError: 'fail' | 'continue' | readonly PlanStep[]
}

export interface SkillStep extends StepBase {
  readonly kind: 'skill'
  readonly integration: string
  readonly skill: string
  /** The slot whose connection is used. */
  readonly slot: string
  readonly with: ValueTemplate
  readonly retry: RetryRule | null
  readonly timeout: Millis | null
  /** Ids of the `approve` steps that cover it: it runs only with the approval of one of them. */
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
  /** `when` is null for the default. */
  readonly cases: readonly { readonly when: Condition | null; readonly steps: readonly PlanStep[] }[]
}

export interface ForeachStep extends StepBase {
  readonly kind: 'foreach'
  readonly items: ValueTemplate
  readonly as: string
  readonly maxItems: number
  /** 1: one after the other. */
  readonly concurrency: number
  readonly steps: readonly PlanStep[]
}

export interface ParallelStep extends StepBase {
  readonly kind: 'parallel'
  /** A number: at least so many branches. */
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
  /** An object: its arguments. */
  readonly with: ValueTemplate
  /** JSON Schema of what it returns; null: anything. */
  readonly output: Json | null
  readonly timeout: Millis
  /** The first fault of a value against `output`; null: it fits. */
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
      /** Reads only. */
      readonly poll: SkillStep
      readonly every: Millis
      /** Over what a step sees, and `output`: the answer. */
      readonly until: Condition
      readonly atMost: Millis
    }

export interface ApproveStep extends StepBase {
  readonly kind: 'approve'
  readonly title: ValueTemplate
  /** Empty: whoever may answer decisions. */
  readonly by: readonly string[]
  readonly approvers: number
  /** Null: it stays open. */
  readonly expires: Millis | null
  /** Ids of the steps that run only with this approval. */
  readonly covers: readonly string[]
  /** Those steps, as far as their input is concerned. */
  readonly covered: readonly SkillStep[]
}

/** How often a poll asks at most: at once, after each `every`, and at the end. */
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
