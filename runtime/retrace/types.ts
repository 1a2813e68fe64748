import type { Decision, Failure, Millis } from '../domain/index.ts'
import type { ExplainedPart } from '../expressions/index.ts'
import type { PlanStep } from '../playbook/index.ts'
import type { Attempt } from './facts.ts'
import type { GroupedStep } from './grouped.ts'
import type { Shown } from './shown.ts'
import type { StepState } from './step-state.ts'

/** `poll`: one call of a poll. `unknown`: the playbook can no longer be read. */
export type StepKind = PlanStep['kind'] | 'poll' | 'unknown'

/** A part of a condition with its result and the values that it read. */
export interface ShownPart extends Omit<ExplainedPart, 'read'> {
  /** `value` null: the value is missing. */
  readonly read: readonly { readonly path: string; readonly value: Shown | null }[]
}

/** Something that decided what a step did, and how. */
export interface Why {
  /**
   * What was decided.
   * - `if`: whether the step runs at all.
   * - `test`: which branch of an `if` step runs.
   * - `case`: whether a case of a `switch` is taken; `index` is its number, from 0.
   * - `until`: whether a poll ends.
   * - `items`: how often a loop runs.
   * - `time`: how long a `wait` takes.
   * - `join`: how the branches of a `parallel` ended.
   * - `left_out`: why the step was skipped.
   */
  readonly of: 'if' | 'test' | 'case' | 'until' | 'items' | 'time' | 'join' | 'left_out'
  readonly index: number | null
  readonly holds: boolean | null
  readonly parts: readonly ShownPart[]
  readonly text: string | null
}

/** A step of a run, with its input, its result and what decided it. */
export interface RetracedStep extends Pick<GroupedStep, 'iterations' | 'unlisted' | 'alike'> {
  readonly address: string
  readonly kind: StepKind
  /** The sub-playbook of the step; null: the step is in the run's own playbook, or its playbook is not known. */
  readonly playbook: string | null
  /** The line in the playbook's text, from 1. */
  readonly line: number | null
  readonly state: StepState
  /** `<integration>.<skill>` */
  readonly skill: string | null
  /** The instance name of the connection. */
  readonly connection: string | null
  readonly target: string | null
  readonly began: Millis | null
  readonly ended: Millis | null
  readonly tries: number
  readonly attempts: readonly Attempt[]
  readonly input: Shown | null
  readonly output: Shown | null
  readonly failure: Failure | null
  /** Whether the step's `on_error` handled the failure. */
  readonly handled: boolean
  readonly why: readonly Why[]
  /** The decisions that this step asked people for. */
  readonly decisions: readonly Decision[]
  readonly warnings: readonly string[]
}

export interface StepQuery {
  /** The address of a step: list only this step and the steps inside it. */
  readonly within: string | null
  readonly states: readonly StepState[] | null
  /** `grouped`: iterations of a loop that went the same way are listed once. */
  readonly loops: 'all' | 'grouped'
  /** The address of the last step of the previous page. */
  readonly after: string | null
  readonly limit: number
}

export interface StepPage {
  readonly items: readonly RetracedStep[]
  readonly more: boolean
  /** How many steps match the query, on all pages. */
  readonly total: number
  /** How many steps have each state, among all steps inside `within`. */
  readonly states: Readonly<Partial<Record<StepState, number>>>
  /** Why some things are not shown; null: everything is shown. */
  readonly note: string | null
  /** The playbook's inputs as read from the alert. Null: they are not known. */
  readonly inputs: Readonly<Record<string, Shown>> | null
}
