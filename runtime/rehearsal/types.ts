import type { Alert, Case, Decision, Effect, Failure, Json, Millis, ProtectedRule, RunId, TimelineEntry } from '../domain/index.ts'
import type { RecordedWay } from '../engine/index.ts'
import type { Plan, PlanStep } from '../playbook/index.ts'
import type { Plugin, Skill } from '../plugin/index.ts'
import type { At } from './stand-ins/jumping-clock.ts'
import type { People } from './stand-ins/people.ts'

/** One call of a skill in a rehearsal. */
export interface RehearsedCall {
  /** The address of the step. */
  readonly step: string
  /** `<integration>.<skill>` */
  readonly skill: string
  readonly impact: Skill['impact']
  /** The slot, or `<sub-playbook>/<slot>`. */
  readonly connection: string
  /** The rendered input, with the schema's defaults. */
  readonly input: Json
}

/** A call that needs an answer. */
export interface Asked extends RehearsedCall {
  /** 1 for the first try of the step. */
  readonly try: number
  readonly plugin: Plugin
  readonly known: Skill
}

/** The answer to a call, in place of the external system's. */
export type Given = AnswerOf & { readonly arrives?: Arrival }

/** When an answer arrives: so long after the call, or at a point in time. No arrival: at once. */
type Arrival = { readonly after: Millis } | At

type AnswerOf =
  | {
      readonly kind: 'output'
      readonly output: Json
      /** True if the output still has to be checked for failed items. Absent: the call succeeded. */
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
  /** Returns null if there is no answer. The rehearsal then ends. */
  answer(call: Asked): Given | null | Promise<Given | null>
  /**
   * Answers the probe after the answer to a write was lost. Returns null if the external system
   * does not say whether the write happened.
   *
   * @param call the probe; its `step` is the write's
   */
  verify(call: Asked): Given | null | Promise<Given | null>
}

/** The circumstances of a run that a rehearsal may set: alert, time, run, case and connections. */
export interface Circumstances {
  readonly alert: Partial<Omit<Alert, 'content'>> & Pick<Alert, 'content'>
  /** When the run begins. */
  readonly now: Millis
  readonly run?: { readonly id: RunId; readonly attempt: number }
  readonly caseId?: string
  /**
   * By slot: the name of the instance, or false for no connection. Any other slot has an instance
   * with the slot's name.
   */
  readonly connections: Readonly<Record<string, string | false>>
}

/** What to rehearse. */
export interface Rehearsal extends Circumstances {
  readonly plan: Plan
  /** The inputs of a sub-playbook that is rehearsed by itself. Absent: they are read from the alert. */
  readonly inputs?: Readonly<Record<string, Json>>
  /** The plugins, by integration. */
  readonly plugins: ReadonlyMap<string, Plugin>
  readonly answers: Answers
  /**
   * The skills, `<integration>.<skill>`, that the organization's policy asks about. Calls of other
   * skills are sent without approval.
   */
  readonly asked?: readonly string[]
  /** What the organization's policy protects. Absent: nothing. */
  readonly protected?: readonly ProtectedRule[]
  /** Absent: nobody answers decisions. */
  readonly people?: People
  /** The way of a recorded run, if this is to repeat it. */
  readonly recorded?: Recorded
}

/** The way of a recorded run, and when it went on. */
export interface Recorded extends Pick<RecordedWay, 'decided' | 'foreseen' | 'passed' | 'own' | 'timedOut' | 'uncounted' | 'isBehind'> {
  /** Returns when the run got the outcome of a call, a script or an approval. Null: it did not. */
  ended(address: string): At | null
  /** Returns when a wait of the run was over. Null: it was not. */
  waited(address: string): At | null
}

/** The path of a run through its plan. */
export interface Trace {
  /** The steps that the run reached, by address. */
  readonly entered: ReadonlyMap<string, PlanStep>
  /** The error codes of the steps that failed, by address. */
  readonly failed: ReadonlyMap<string, string>
  /** The recorded choices, by their address in the journal. */
  readonly decided: ReadonlyMap<string, Json>
}

/** The result of a rehearsal. */
export interface Rehearsed {
  /** `waiting`: for a person. `unanswered`: a call had no answer, so what would follow is unknown. */
  readonly outcome: 'completed' | 'failed' | 'waiting' | 'unanswered'
  readonly reason: string | null
  readonly failure: Failure | null
  /** Every try, in order. */
  readonly calls: readonly (RehearsedCall & { readonly try: number })[]
  readonly unanswered: readonly RehearsedCall[]
  /** The decisions that people were asked for, in order. */
  readonly decisions: readonly Decision[]
  /** The addresses of the steps whose writes are in doubt. */
  readonly inDoubt: readonly string[]
  readonly vars: Readonly<Record<string, Json>>
  /** The outputs that a calling playbook would get. Null if the run ended earlier, or has none. */
  readonly outputs: Json
  readonly case: Case
  readonly timeline: readonly TimelineEntry[]
  readonly trace: Trace
  /** How long the first call of each step took, by the address of the step. */
  readonly took: ReadonlyMap<string, Millis>
  /** How long the run took. Calls take no time, unless their answers say when they arrive. */
  readonly elapsed: Millis
}
