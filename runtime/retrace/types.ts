import type { Decision, Failure, Millis } from '../domain/index.ts'
import type { ExplainedPart } from '../expressions/index.ts'
import type { PlanStep } from '../playbook/index.ts'
import type { Attempt } from './facts.ts'
import type { GroupedStep } from './grouped.ts'
import type { Shown } from './shown.ts'

/** `poll`: one call of a `wait` that polls. `unknown`: the playbook can be read no more. */
export type StepKind = PlanStep['kind'] | 'poll' | 'unknown'

export const stepStates = ['done', 'failed', 'skipped', 'waiting', 'under_way', 'in_doubt', 'interrupted'] as const
/** `in_doubt`: a write that was sent, and nothing says what became of it. `interrupted`: the run ended before the step did. */
export type StepState = (typeof stepStates)[number]

/** A part of a condition, as it was decided. */
export interface ShownPart extends Omit<ExplainedPart, 'read'> {
  /** `value` null: it is not there. */
  readonly read: readonly { readonly path: string; readonly value: Shown | null }[]
}

/** What decided something about a step. */
export interface Why {
  /**
   * `if`: whether it is run at all. `test`: which branch of an `if`. `case`: whether a case of a `switch` is taken, by its index from 0. `until`: whether
   * a poll ends. `items`: how often a loop runs. `time`: how long a `wait` takes. `join`: how branches ended. `left_out`: why it was not run.
   */
  readonly of: 'if' | 'test' | 'case' | 'until' | 'items' | 'time' | 'join' | 'left_out'
  readonly index: number | null
  readonly holds: boolean | null
  readonly parts: readonly ShownPart[]
  readonly text: string | null
}

/** A step of a run, with what it saw and what it came to. */
export interface RetracedStep extends Pick<GroupedStep, 'iterations' | 'unlisted' | 'alike'> {
  readonly address: string
  readonly kind: StepKind
  /** The sub-playbook that it is part of; null: the run's own, or it is not known. */
  readonly playbook: string | null
  /** In its playbook's text, from 1. */
  readonly line: number | null
  readonly state: StepState
  /** `<integration>.<skill>` */
  readonly skill: string | null
  /** The connection's instance. */
  readonly connection: string | null
  readonly target: string | null
  readonly began: Millis | null
  readonly ended: Millis | null
  readonly tries: number
  readonly attempts: readonly Attempt[]
  readonly input: Shown | null
  readonly output: Shown | null
  readonly failure: Failure | null
  /** Whether its `on_error` has dealt with that. */
  readonly handled: boolean
  readonly why: readonly Why[]
  /** What people were asked here. */
  readonly decisions: readonly Decision[]
  readonly warnings: readonly string[]
}

export interface StepQuery {
  /** A step, with everything in it. */
  readonly within: string | null
  readonly states: readonly StepState[] | null
  /** `grouped`: iterations of a loop that went the same way are listed once. */
  readonly loops: 'all' | 'grouped'
  /** The address of the last step of the page before. */
  readonly after: string | null
  readonly limit: number
}

export interface StepPage {
  readonly items: readonly RetracedStep[]
  readonly more: boolean
  /** How many steps fit the query. */
  readonly total: number
  /** How many steps there are of each state, in what the query looks within. */
  readonly states: Readonly<Partial<Record<StepState, number>>>
  /** Why not everything is shown; null: it is. */
  readonly note: string | null
  /** The playbook's inputs, as they were read from the alert. Null: they are not known. */
  readonly inputs: Readonly<Record<string, Shown>> | null
}
