import type { Effect, Json, TurnedAway, Unchanged } from '../../domain/index.ts'

export interface CallFailure {
  readonly code: string
  readonly message: string
  readonly remedy: string | null
  /** Seconds the vendor asked to wait (Retry-After), if it did. */
  readonly retryAfter: number | null
  readonly vendor?: Readonly<Record<string, string | number>>
  /** A retry was possible, but its wait was too long for the handler. The caller may wait and retry. */
  readonly unwaited?: true
  /** It was not sent, but may be sent later. The call is not at fault. */
  readonly turnedAway?: TurnedAway
}

export type CallResult =
  /** `changed` of a write: where it is not sure that it changed anything. `warnings`: what of the output is odd. `unsigned`: nobody vouches for it. */
  | { readonly ok: true; readonly output: Json; readonly changed?: Unchanged; readonly warnings?: readonly string[]; readonly unsigned?: true }
  /** `effect` of the whole call on the outside world. */
  | {
      readonly ok: false
      readonly effect: Effect
      readonly failure: CallFailure
      /** As much of the output as is known: of a bulk, what became of each item. Absent: nothing is. */
      readonly output?: Json
      readonly warnings?: readonly string[]
      /** Of a handler that failed after some of its requests had been answered: those that may have changed something. */
      readonly requests?: readonly AnsweredRequest[]
    }

/** A request of a handler that was answered. */
export interface AnsweredRequest {
  /** `POST /things` */
  readonly request: string
  readonly status: number
  /** What was answered; null where all of them together are too large to be told. */
  readonly body: Json
}
