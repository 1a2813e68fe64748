import type { Alert, Case, Decision, Effect, Failure, Json, Millis, ProtectedRule, RunId, TimelineEntry } from '../domain/index.ts'
import type { Plan, PlanStep } from '../playbook/index.ts'
import type { Plugin, Skill } from '../plugin/index.ts'
import type { People } from './stand-ins/people.ts'

/** One call of a skill in a rehearsal. */
export interface RehearsedCall {
  /** Address of the step. */
  readonly step: string
  /** `<integration>.<skill>` */
  readonly skill: string
  readonly impact: Skill['impact']
  /** The slot; of a sub-playbook's, `<sub-playbook>/<slot>`. */
  readonly connection: string
  /** As rendered, with the schema's defaults. */
  readonly input: Json
}

/** A call that waits for its answer. */
export interface Asked extends RehearsedCall {
  /** 1 for the first attempt of the step. */
  readonly try: number
  readonly plugin: Plugin
  readonly known: Skill
}

/** The answer to a call, in place of the external system's. */
export type Given =
  | {
      readonly kind: 'output'
      readonly output: Json
      /** When it arrives. Absent: at once. */
      readonly at?: Millis
      /** Whether the result of each item is still unknown. Absent: the call succeeded. */
      readonly judge?: true
    }
  | {
      readonly kind: 'failed'
      readonly code: string
      readonly message: string | null
      readonly effect: Effect | null
      /** The part of the output that is known. */
      readonly output?: Json
    }
  /** The request of a write was sent, and no answer came. */
  | { readonly kind: 'lost' }

export interface Answers {
  /** Null: there is no answer, and the rehearsal ends here. */
  answer(call: Asked): Given | null | Promise<Given | null>
  /**
   * After the answer to a write was lost: what the external system says about whether it happened. Null: it does not say.
   * @param call the question; its `step` is the write's
   */
  verify(call: Asked): Given | null | Promise<Given | null>
}

/** What differs from the alert, run and case that every rehearsal has. */
export interface Circumstances {
  readonly alert: Partial<Omit<Alert, 'content'>> & Pick<Alert, 'content'>
  /** When the run begins. */
  readonly now: Millis
  readonly run?: { readonly id: RunId; readonly attempt: number }
  readonly caseId?: string
  /** By slot: the instance that it is bound to. False: it is not bound. Any other slot is bound to an instance with the slot's name. */
  readonly connections: Readonly<Record<string, string | false>>
}

/** What to rehearse. */
export interface Rehearsal extends Circumstances {
  readonly plan: Plan
  /** The inputs of a sub-playbook that is rehearsed by itself. Absent: they are read from the alert. */
  readonly inputs?: Readonly<Record<string, Json>>
  /** By integration. */
  readonly plugins: ReadonlyMap<string, Plugin>
  readonly answers: Answers
  /** `<integration>.<skill>`: calls that the organization's policy asks about. All others are sent, as if approved. */
  readonly asked?: readonly string[]
  /** What the organization's policy protects; absent: nothing. */
  readonly protected?: readonly ProtectedRule[]
  /** Absent: nobody answers decisions. */
  readonly people?: People
  /** Decisions that the engine takes from the journal, as if made by an earlier execution. By address in the journal. */
  readonly decided?: Readonly<Record<string, Json>>
}

/** The path of a run through its plan. */
export interface Trace {
  /** The steps that were reached, by address. */
  readonly entered: ReadonlyMap<string, PlanStep>
  /** The steps that failed, by address, with the code. */
  readonly failed: ReadonlyMap<string, string>
  /** The decisions, by address in the journal. */
  readonly decided: ReadonlyMap<string, Json>
}

/** The result of a rehearsal. */
export interface Rehearsed {
  /** `waiting`: for a person. `unanswered`: a call had no answer, so nothing is known about the steps after it. */
  readonly outcome: 'completed' | 'failed' | 'waiting' | 'unanswered'
  readonly reason: string | null
  readonly failure: Failure | null
  /** Every attempt, in order. */
  readonly calls: readonly (RehearsedCall & { readonly try: number })[]
  readonly unanswered: readonly RehearsedCall[]
  /** The decisions that people were asked for, in order. */
  readonly decisions: readonly Decision[]
  /** Addresses of writes whose outcome was unknown. */
  readonly inDoubt: readonly string[]
  readonly vars: Readonly<Record<string, Json>>
  /** The outputs that a calling playbook would get. Null: the run ended earlier, or there are none. */
  readonly outputs: Json
  readonly case: Case
  readonly timeline: readonly TimelineEntry[]
  readonly trace: Trace
  /** How long the run would have taken, without its calls. */
  readonly elapsed: Millis
}
