import type { Effect, TurnedAway } from '../../domain/index.ts'
import type { SkillAnswer } from './skill-answer.ts'

/** An answer that is being read: its status and headers, and the rest as it comes. */
export interface StreamedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Rejects with a TocsinError (`network`, `call_timeout`, `answer_too_large`) when the rest does not come. */
  readonly body: AsyncIterable<Uint8Array>
  /** Gives up the rest, whether or not reading has begun. */
  cancel(): void
  /** JSON of what was read, without the connection's secrets. */
  clean(json: string): string
}

export type StreamResult =
  | { readonly effect: 'done'; readonly answer: StreamedAnswer }
  /** The answer is no success; it was read whole. */
  | { readonly effect: 'done'; readonly refusal: SkillAnswer }
  | Exclude<SendResult, { effect: 'done' }>

export type SendResult =
  | { readonly effect: 'done'; readonly answer: SkillAnswer }
  | {
      readonly effect: Exclude<Effect, 'done'>
      readonly code: string
      readonly message: string
      /** Seconds, where it is known when there is room again. */
      readonly retryAfter?: number
      /** In place of the registry's. */
      readonly remedy?: string | null
      readonly vendor?: Readonly<Record<string, string | number>>
      readonly turnedAway?: TurnedAway
      /** Its turn came, but it got no connection in time. It may take another turn. */
      readonly turnPassed?: true
    }
