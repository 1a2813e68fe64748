import type { Clock, Effect, Json, Millis } from '../../domain/index.ts'
import type { Turns } from '../../fairness/index.ts'
import type { SendResult, StreamResult } from '../answer/send-result.ts'
import type { Acts } from '../handler/acts.ts'
import type { Isolates } from '../isolate/pool.ts'
import type { SkillRequest } from '../request/skill-request.ts'
import type { CallFailure } from './call-result.ts'

/** What a skill's call needs of the host. */
export interface CallHost {
  /** The same however often this step is tried: `call.key` in templates. */
  readonly key: string
  /** The connection's plain fields: `credentials.<name>` in templates. Never a secret. */
  readonly fields: Readonly<Record<string, string | number | boolean>>
  /** @param sendBy a write must not leave after this time, if that differs from the call's */
  send(request: SkillRequest, sendBy?: Millis | null): Promise<SendResult>
  /** Called with the outcome of each request, as the manifest judges its answer. */
  readonly heard?: (outcome: HeardRequest) => void
}

/** The outcome of one request; null: it succeeded. */
type HeardRequest = { readonly effect: Effect; readonly failure: CallFailure } | null

/** What a handler's call needs besides. */
export interface HandlerHost extends CallHost {
  readonly isolates: Isolates
  /** For whom it is: slots for handlers and turns of the event loop are shared by this. An organization; empty where there is none. */
  readonly owner: string
  readonly turns: Turns
  readonly acts: Acts
  readonly clock: Clock
  /** For the whole call, from the start of its handler. */
  readonly timeout: Millis
  /** The longest wait before a retry of a request within the call, for a skill that reads; null: no retries. */
  readonly patience: Millis | null
  /** Aborted when no one waits for the call any more. */
  readonly signal: AbortSignal
  /** Reads an answer of up to `maxBytes` as it comes. */
  stream(request: SkillRequest, maxBytes: number): Promise<StreamResult>
  log(level: 'debug' | 'info' | 'warn', message: string, fields: Readonly<Record<string, Json>>): void
}
