import type { Effect, Json, Millis, TurnedAway, Unchanged } from '../../domain/index.ts'

export interface CallFailure {
  readonly code: string
  readonly message: string
  readonly remedy: string | null
  /** How many seconds the vendor asked to wait (Retry-After). Null if it did not ask. */
  readonly retryAfter: number | null
  readonly vendor?: Readonly<Record<string, string | number>>
  /** Set if a retry was possible but its wait was too long for the handler. The caller may wait and retry. */
  readonly unwaited?: true
  /** Set if the request was not sent but may be sent later. The call is not at fault. */
  readonly turnedAway?: TurnedAway
}

/** What a read learnt besides its output. */
export interface HeardByRead {
  /** Set if an answer counts more items than all pages had, in words. */
  readonly incomplete?: string
  /** When the external system gave its first answer, by its own clock. Absent: it did not say. */
  readonly answeredAt?: Millis
}

export type CallResult =
  /**
   * `changed`: set for a write that may not have changed anything. `warnings`: how the output does
   * not match its schema. `unsigned`: an answer has no signature, so it may be forged.
   */
  | ({
      readonly ok: true
      readonly output: Json
      readonly changed?: Unchanged
      readonly warnings?: readonly string[]
      readonly unsigned?: true
    } & HeardByRead)
  /** `effect`: what the whole call did to the outside world. */
  | {
      readonly ok: false
      readonly effect: Effect
      readonly failure: CallFailure
      /**
       * The part of the output that is known, such as the outcome of each item of a bulk call.
       * Absent if nothing is known.
       */
      readonly output?: Json
      readonly warnings?: readonly string[]
      /** Set if a handler failed: its answered requests that may have changed something. */
      readonly requests?: readonly AnsweredRequest[]
    }

/** A handler's request that was answered. */
export interface AnsweredRequest {
  /** For example `POST /things`. */
  readonly request: string
  readonly status: number
  /** The answer's body. Null if all bodies together are too large to keep. */
  readonly body: Json
}
