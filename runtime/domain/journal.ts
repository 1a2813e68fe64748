import type { RunDeaths } from './deaths.ts'
import type { DecisionId, PauseId, SessionId } from './ids.ts'
import type { Cancellation, Failure, PinnedConnection } from './run.ts'
import type { Millis } from './seams.ts'

/** Any JSON value, as it is journaled and as templates see it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** What a call did to the outside world, as far as the host can know (design, Writes). */
export type Effect = 'not_sent' | 'refused' | 'done' | 'unknown'

/** A large output lies beside the log; the record names it. */
export type RecordedOutput = { readonly value: Json } | { readonly stored: string }

/** Where what a write asked for may not be its doing: `no`: it was so before; `perhaps`: it is so, and whether it was before nobody knows. */
export type Unchanged = 'no' | 'perhaps'

/** A call that may have changed something, as it was sent: what taking it back needs. */
export interface RecordedWrite {
  /** `<integration>.<skill>` */
  readonly skill: string
  readonly connection: PinnedConnection
  readonly target: string | null
  readonly input: RecordedOutput
  /** Whether it changed anything, where that is not sure. */
  readonly changed?: Unchanged
}

/** `format: 1` of a journal record. Readers of a later format keep reading this one. */
export type JournalRecord =
  /**
   * First of every life of a run: nothing executes before it is in the log. `heldSince`: until `at` a pause had kept it from going on; that time
   * does not count against the run's limit.
   */
  | { readonly kind: 'claimed'; readonly epoch: number; readonly owner: SessionId; readonly at: Millis; readonly heldSince?: Millis }
  /** A decision that a re-walk must repeat: a branch, the items of a loop, mutable values read. Rides with the next append. */
  | { readonly kind: 'decided'; readonly address: string; readonly value: Json }
  /** A write is about to be sent. `digest` is of the rendered input; after `sendBy` (store time) it must not leave. */
  | {
      readonly kind: 'intent'
      readonly address: string
      readonly try: number
      readonly digest: string
      readonly connection: string
      readonly revision: number
      readonly sendBy: Millis
      readonly at: Millis
      /** What is sent, for whoever has to settle it without walking the run again. Of the first try of a step; of a handler's, of its first request. */
      readonly write?: RecordedWrite
    }
  /**
   * One try of a write that changed nothing; one before it may be in doubt all the same. `turnedAway`: it did not get past the gate before the
   * socket, or came there too late, and is none of the tries that the step has.
   */
  | {
      readonly kind: 'tried'
      readonly address: string
      readonly try: number
      readonly effect: Effect
      readonly code: string
      readonly turnedAway?: true
      readonly at: Millis
    }
  /**
   * A try of a call, or of one request of a handler, came to nothing, and another is to follow: not before `until`, and the run sleeps meanwhile. `tries`:
   * how many there were. `doubt`: a try before it may have happened all the same, and why nobody knows.
   */
  | {
      readonly kind: 'retried'
      readonly address: string
      readonly tries: number
      readonly code: string
      readonly until: Millis
      readonly doubt?: { readonly code: string; readonly message: string }
      readonly at: Millis
    }
  /** One act of a handler that was answered: a re-run of the handler is given this. `digest` is of the request. */
  | {
      readonly kind: 'answered'
      readonly address: string
      readonly try: number
      readonly digest: string
      readonly answer: RecordedOutput
      readonly at: Millis
      /** Of a write, as of a step's. */
      readonly changed?: Unchanged
    }
  /** The target was asked whether a write in doubt had happened, and that settles it: all tries so far of what has the address. */
  | { readonly kind: 'probed'; readonly address: string; readonly try: number; readonly happened: boolean; readonly at: Millis }
  /**
   * A step's outcome. `digest` is of its rendered input: a re-walk that renders another input stops the run. `write` is there when the step
   * was a write; runs of before there was undo have none. `began`: when the step began it; absent where that was at `at`, too, and in records of
   * before it was kept. `tries`: how often a read was sent; absent: once.
   */
  | {
      readonly kind: 'done'
      readonly address: string
      readonly digest: string
      readonly output: RecordedOutput
      readonly write?: RecordedWrite
      /** What of the output is not as the skill's schema says; absent: nothing. */
      readonly warnings?: readonly string[]
      readonly began?: Millis
      readonly tries?: number
      readonly at: Millis
    }
  | {
      readonly kind: 'failed'
      readonly address: string
      readonly digest: string
      readonly effect: Effect
      readonly failure: Failure
      /** As much of the output as is known: of a bulk of which some failed, what became of each. Absent: nothing is. */
      readonly output?: RecordedOutput
      readonly write?: RecordedWrite
      readonly began?: Millis
      readonly tries?: number
      readonly at: Millis
    }
  /** A question was put before people; until it is `heard`, the run's time limit does not count. */
  | { readonly kind: 'asked'; readonly address: string; readonly decision: DecisionId; readonly at: Millis }
  /** What people decided, or that nobody did, was taken into account. */
  | { readonly kind: 'heard'; readonly address: string; readonly decision: DecisionId; readonly at: Millis }
  /** Somebody cancelled the run: an append of whoever does, at whatever position is next. Nothing that is not in the log before it begins after it. */
  | ({ readonly kind: 'cancelled' } & Cancellation)
  /** Processes have died in the run too often: from here on nothing of it is walked. What it left in doubt is settled, and it ends. */
  | { readonly kind: 'poisoned'; readonly deaths: RunDeaths; readonly at: Millis }
  /** Last of a life that ended its job to wait. `until` null: for a person. `pause`: what stopped a write of it. */
  | { readonly kind: 'slept'; readonly until: Millis | null; readonly pause?: PauseId; readonly at: Millis }
  /** Last: after it nothing of the run executes. */
  | {
      readonly kind: 'ended'
      readonly state: 'completed' | 'failed'
      readonly reason: string | null
      readonly failure: Failure | null
      /** When another attempt follows by itself; absent: none does. */
      readonly retryAt?: Millis
      readonly at: Millis
    }

/** One append: one document of the log, holding one to several records. */
export interface JournalEntry {
  readonly position: number
  readonly epoch: number
  readonly format: 1
  readonly records: readonly JournalRecord[]
}
