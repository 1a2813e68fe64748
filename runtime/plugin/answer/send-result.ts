import type { Effect, TurnedAway } from '../../domain/index.ts'
import type { SkillAnswer } from './skill-answer.ts'

/** An answer whose status and headers have arrived, and whose body is read as it arrives. */
export interface StreamedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Rejects with a TocsinError (`network`, `call_timeout`, `answer_too_large`) if the rest does not come. */
  readonly body: AsyncIterable<Uint8Array>
  /** Abandons the rest, whether or not reading has begun. */
  cancel(): void
  /** Removes the connection's secrets from JSON that was read from the body. */
  clean(json: string): string
}

export type StreamResult =
  | { readonly effect: 'done'; readonly answer: StreamedAnswer }
  /** The answer is not a success. It was read whole. */
  | { readonly effect: 'done'; readonly refusal: SkillAnswer }
  | Exclude<SendResult, { effect: 'done' }>

export type SendResult =
  | { readonly effect: 'done'; readonly answer: SkillAnswer }
  | {
      readonly effect: Exclude<Effect, 'done'>
      readonly code: string
      readonly message: string
      /** Seconds until there is room again, if known. */
      readonly retryAfter?: number
      /** Replaces the registry's remedy. */
      readonly remedy?: string | null
      readonly vendor?: Readonly<Record<string, string | number>>
      readonly turnedAway?: TurnedAway
      /** The request got its permit, but no connection in time. It may wait for another permit. */
      readonly turnPassed?: true
    }
