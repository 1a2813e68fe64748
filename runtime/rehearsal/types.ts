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
  /** 1 for the step's first try. */
  readonly try: number
  readonly plugin: Plugin
  readonly known: Skill
}

/** What a call is answered in place of the external system. */
export type Given =
  | {
      readonly kind: 'output'
      readonly output: Json
      /** When it comes; absent: at once. */
      readonly at?: Millis
      /** Whether it is still to be seen what became of the items that the call is about; absent: the call succeeded. */
      readonly judge?: true
    }
  | {
      readonly kind: 'failed'
      readonly code: string
      readonly message: string | null
      readonly effect: Effect | null
      /** As much of the output as is known. */
      readonly output?: Json
    }
  /** The request of a write left, and no answer came. */
  | { readonly kind: 'lost' }

export interface Answers {
  /** Null: there is no answer, and the rehearsal ends here. */
  answer(call: Asked): Given | null | Promise<Given | null>
  /**
   * What the external system says when it is asked whether a write happened whose answer was lost; null: it does not say.
   * @param call the question; its `step` is the write's
   */
  verify(call: Asked): Given | null | Promise<Given | null>
}

/** What is different of the alert, the run and the case from those that every rehearsal has. */
export interface Circumstances {
  readonly alert: Partial<Omit<Alert, 'content'>> & Pick<Alert, 'content'>
  /** When the run begins. */
  readonly now: Millis
  readonly run?: { readonly id: RunId; readonly attempt: number }
  readonly caseId?: string
  /** By slot: the instance it is bound to, or false where it is not bound. Any other slot is bound, to an instance of its own name. */
  readonly connections: Readonly<Record<string, string | false>>
}

/** What is to be rehearsed. */
export interface Rehearsal extends Circumstances {
  readonly plan: Plan
  /** Given to a sub-playbook that is rehearsed by itself; absent: they are read from the alert. */
  readonly inputs?: Readonly<Record<string, Json>>
  /** By integration. */
  readonly plugins: ReadonlyMap<string, Plugin>
  readonly answers: Answers
  /** `<integration>.<skill>`: calls that the organization's policy asks about. All others it lets be sent, as if it had asked and been approved. */
  readonly asked?: readonly string[]
  /** What the organization's policy protects; absent: nothing. */
  readonly protected?: readonly ProtectedRule[]
  /** Absent: nobody answers decisions. */
  readonly people?: People
  /** What the engine is to take as decided, as an earlier life would have left it: by the address in the journal. */
  readonly decided?: Readonly<Record<string, Json>>
}

/** Which way a run took through its plan. */
export interface Trace {
  /** The steps that were reached, by address. */
  readonly entered: ReadonlyMap<string, PlanStep>
  /** The steps that failed, by address, with the code. */
  readonly failed: ReadonlyMap<string, string>
  /** What was decided, by the address that the journal has it under. */
  readonly decided: ReadonlyMap<string, Json>
}

/** What a rehearsal came to. */
export interface Rehearsed {
  /** `waiting`: for a person. `unanswered`: a call had no answer, and nothing is known of what would have followed. */
  readonly outcome: 'completed' | 'failed' | 'waiting' | 'unanswered'
  readonly reason: string | null
  readonly failure: Failure | null
  /** Every try, in order. */
  readonly calls: readonly (RehearsedCall & { readonly try: number })[]
  readonly unanswered: readonly RehearsedCall[]
  /** What was put before people, in order. */
  readonly decisions: readonly Decision[]
  /** Addresses of writes of which nobody knew whether they had happened. */
  readonly inDoubt: readonly string[]
  readonly vars: Readonly<Record<string, Json>>
  /** What a playbook that ran it would get; null where it does not come so far, or has none. */
  readonly outputs: Json
  readonly case: Case
  readonly timeline: readonly TimelineEntry[]
  readonly trace: Trace
  /** How long the run would have taken, calls aside. */
  readonly elapsed: Millis
}
