import type { DecisionId, PauseId, SessionId } from '../ids.ts'
import type { Cancellation } from '../runs/cancellation.ts'
import type { RunDeaths } from '../runs/deaths.ts'
import type { Failure } from '../runs/failure.ts'
import type { PinnedConnection } from '../runs/pins.ts'
import type { Millis } from '../seams.ts'
import type { Json } from '../text/json.ts'
import type { Effect } from './effect.ts'

/** A step's output. A large one is stored beside the journal, and the record names it. */
export type RecordedOutput = { readonly value: Json } | { readonly stored: string }

/**
 * For a write that may have changed nothing. `no`: the system was already in that state. `perhaps`: it is in
 * that state now, and nobody knows whether it was before.
 */
export type Unchanged = 'no' | 'perhaps'

/** A call that may have changed something, as it was sent. Undoing it needs these parts. */
export interface RecordedWrite {
  /** `<integration>.<skill>` */
  readonly skill: string
  readonly connection: PinnedConnection
  readonly target: string | null
  readonly input: RecordedOutput
  /** Set if the write changed nothing, or may have changed nothing. */
  readonly changed?: Unchanged
}

/** A journal record of `format: 1`. Code for a later format must still read this one. */
export type JournalRecord =
  /**
   * The first record of each execution of a run: nothing executes before it is in the journal. `heldSince`: a
   * pause kept the run from continuing from then until `at`. That time does not count against the run's time
   * limit.
   */
  | { readonly kind: 'claimed'; readonly epoch: number; readonly owner: SessionId; readonly at: Millis; readonly heldSince?: Millis }
  /** A choice that a replay must repeat: a branch, the items of a loop, a value that can change. Written with the next append. */
  | { readonly kind: 'decided'; readonly address: string; readonly value: Json }
  /** A write is about to be sent. `digest` is of the rendered input. After `sendBy` (store time) it must not leave. */
  | {
      readonly kind: 'intent'
      readonly address: string
      readonly try: number
      readonly digest: string
      readonly connection: string
      readonly revision: number
      readonly sendBy: Millis
      readonly at: Millis
      /**
       * What is sent. With it the write can be settled without replaying the run. Only on the first try of a
       * step, or of a handler's first request.
       */
      readonly write?: RecordedWrite
    }
  /**
   * One try of a write that changed nothing. An earlier try may still be in doubt. `turnedAway`: the pause
   * check refused it, or it was too late to send it. Such a try does not count.
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
   * A try of a call, or of one request of a handler, failed. The run sleeps and tries again at `until` or
   * later. `tries`: how many there were so far. `doubt`: an earlier try may have happened; it says why nobody
   * knows.
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
  /** An act of a handler was answered. A replay of the handler gets this answer. `digest` is of the request. */
  | {
      readonly kind: 'answered'
      readonly address: string
      readonly try: number
      readonly digest: string
      readonly answer: RecordedOutput
      readonly at: Millis
      /** As in `RecordedWrite`, if the act is a write. */
      readonly changed?: Unchanged
    }
  /**
   * A probe asked the external system whether a write in doubt had happened. This settles all earlier tries
   * at this address.
   */
  | { readonly kind: 'probed'; readonly address: string; readonly try: number; readonly happened: boolean; readonly at: Millis }
  /**
   * A step's outcome. `digest` is of its rendered input: a replay that renders another input stops the run.
   * `write`: what a write sent. `began`: when the step began the call; absent if that is the same as `at`.
   * `tries`: how often a read was sent; absent: once.
   */
  | {
      readonly kind: 'done'
      readonly address: string
      readonly digest: string
      readonly output: RecordedOutput
      readonly write?: RecordedWrite
      /** Where the output does not match the skill's schema. Absent: nowhere. */
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
      /**
       * The known part of the output: for a bulk call that failed in part, the result of each item. Absent:
       * nothing is known.
       */
      readonly output?: RecordedOutput
      readonly write?: RecordedWrite
      readonly began?: Millis
      readonly tries?: number
      readonly at: Millis
    }
  /**
   * People were asked a question. Until it is `heard`, the run's time limit does not count. `binding`: it is about a
   * write in doubt, so the run needs the answer whatever becomes of the step.
   */
  | { readonly kind: 'asked'; readonly address: string; readonly decision: DecisionId; readonly binding?: true; readonly at: Millis }
  /**
   * The run has taken the answer into account, or that nobody answered. `dropped`: it needs no answer any more, because
   * the branch that asked was cancelled or the playbook has stopped.
   */
  | { readonly kind: 'heard'; readonly address: string; readonly decision: DecisionId; readonly dropped?: true; readonly at: Millis }
  /**
   * Somebody cancelled the run. The canceller's process appends this at the next position. Nothing new begins
   * after it.
   */
  | ({ readonly kind: 'cancelled' } & Cancellation)
  /**
   * Processes have died too often while working on the run. Its steps no longer execute: its writes in doubt
   * are settled, and it ends.
   */
  | { readonly kind: 'poisoned'; readonly deaths: RunDeaths; readonly at: Millis }
  /**
   * The last record of an execution that ends its job to wait. `until` null: it waits for a person. `pause`:
   * the pause that stopped one of its writes.
   */
  | { readonly kind: 'slept'; readonly until: Millis | null; readonly pause?: PauseId; readonly at: Millis }
  /** The last record of a journal. Nothing of the run executes after it. */
  | {
      readonly kind: 'ended'
      readonly state: 'completed' | 'failed'
      readonly reason: string | null
      readonly failure: Failure | null
      /** When another attempt starts by itself. Absent: none does. */
      readonly retryAt?: Millis
      readonly at: Millis
    }

/** One append: one document of the journal, with one or more records. */
export interface JournalEntry {
  readonly position: number
  readonly epoch: number
  readonly format: 1
  readonly records: readonly JournalRecord[]
}

/** Returns the cancellation in a journal. Null if there is none. */
export function cancellationIn(records: readonly JournalRecord[]): Cancellation | null {
  const found = records.find((record) => record.kind === 'cancelled')
  if (!found) return null
  const { principal, by, reason, at } = found
  return { principal, by, reason, at }
}
