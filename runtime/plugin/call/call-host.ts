import type { Clock, Effect, Json, Millis } from '../../domain/index.ts'
import type { Turns } from '../../fairness/index.ts'
import type { SendResult, StreamResult } from '../answer/send-result.ts'
import type { Acts } from '../handler/acts.ts'
import type { Isolates } from '../isolate/pool.ts'
import type { SkillRequest } from '../request/skill-request.ts'
import type { CallFailure } from './call-result.ts'

/** What the call of a skill needs from its host. */
export interface CallHost {
  /** The same for every try of this step: `call.key` in templates. */
  readonly key: string
  /** The connection's plain fields: `credentials.<name>` in templates. Never a secret. */
  readonly fields: Readonly<Record<string, string | number | boolean>>
  /** @param sendBy the time by which a write must leave, if it differs from the call's */
  send(request: SkillRequest, sendBy?: Millis | null): Promise<SendResult>
  /** Called with the outcome of each request, as the manifest judges its answer. */
  readonly heard?: (outcome: HeardRequest) => void
}

/** The outcome of one request. Null: it succeeded. */
type HeardRequest = { readonly effect: Effect; readonly failure: CallFailure } | null

/** What the call of a handler needs in addition. */
export interface HandlerHost extends CallHost {
  readonly isolates: Isolates
  /**
   * Who the call is for. Slots for handlers and turns of the event loop are shared by owner. An
   * organization, or empty if there is none.
   */
  readonly owner: string
  readonly turns: Turns
  readonly acts: Acts
  readonly clock: Clock
  /** The time-out of the whole call, from the start of its handler. */
  readonly timeout: Millis
  /**
   * The longest wait before a retry of a request within the call, for a skill that reads. Null: no
   * retries.
   */
  readonly patience: Millis | null
  /** Aborted when nobody waits for the call any more. */
  readonly signal: AbortSignal
  /** Reads an answer of up to `maxBytes` as it arrives. */
  stream(request: SkillRequest, maxBytes: number): Promise<StreamResult>
  log(level: 'debug' | 'info' | 'warn', message: string, fields: Readonly<Record<string, Json>>): void
}
