import type { DecisionId, PauseId, SessionId } from '../ids.ts'
import type { Cancellation } from '../runs/cancellation.ts'
import type { RunDeaths } from '../runs/deaths.ts'
import type { Failure } from '../runs/failure.ts'
import type { PinnedConnection } from '../runs/pins.ts'
import type { Millis } from '../seams.ts'
import type { Json } from '../text/json.ts'
import type { Effect } from './effect.ts'

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
      /** What is sent, so that the write can be settled without walking the run again. Only on the first try of a step, or of a handler's first request. */
      readonly write?: RecordedWrite
    }
  /**
   * One try of a write that changed nothing. An earlier try may still be in doubt. `turnedAway`: the gate before the socket refused it, or it came too
   * late. It does not count as a try of the step.
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
   * A try of a call, or of one request of a handler, failed. The run sleeps, and tries again at `until` or later. `tries`: how many there were so far.
   * `doubt`: an earlier try may have happened; it says why nobody knows.
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
  /** The target was asked whether a write in doubt had happened. This settles all tries so far at this address. */
  | { readonly kind: 'probed'; readonly address: string; readonly try: number; readonly happened: boolean; readonly at: Millis }
  /**
   * A step's outcome. `digest` is of its rendered input: a replay that renders another input stops the run. `write`: what a write sent. `began`: when
   * the step began the call; absent if that is the same as `at`. `tries`: how often a read was sent; absent: once.
   */
  | {
      readonly kind: 'done'
      readonly address: string
      readonly digest: string
      readonly output: RecordedOutput
      readonly write?: RecordedWrite
      /** Where the output does not fit the skill's schema; absent: nowhere. */
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
      /** The known part of the output: for a bulk that failed in part, the result of each item. Absent: nothing is known. */
      readonly output?: RecordedOutput
      readonly write?: RecordedWrite
      readonly began?: Millis
      readonly tries?: number
      readonly at: Millis
    }
  /** A question was put before people; until it is `heard`, the run's time limit does not count. */
  | { readonly kind: 'asked'; readonly address: string; readonly decision: DecisionId; readonly at: Millis }
  /** The run has taken into account what people decided, or that nobody did. */
  | { readonly kind: 'heard'; readonly address: string; readonly decision: DecisionId; readonly at: Millis }
  /** Somebody cancelled the run. Whoever cancels appends this at the next position. Nothing new begins after it. */
  | ({ readonly kind: 'cancelled' } & Cancellation)
  /** Processes have died in the run too often. From here on it is not walked any more: its writes in doubt are settled, and it ends. */
  | { readonly kind: 'poisoned'; readonly deaths: RunDeaths; readonly at: Millis }
  /** The last record of a life that ended its job to wait. `until` null: it waits for a person. `pause`: the pause that stopped one of its writes. */
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

/** The cancellation that a log has; null: there is none. */
export function cancellationIn(records: readonly JournalRecord[]): Cancellation | null {
  const found = records.find((record) => record.kind === 'cancelled')
  if (!found) return null
  const { principal, by, reason, at } = found
  return { principal, by, reason, at }
}
