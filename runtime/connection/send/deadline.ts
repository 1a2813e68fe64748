import type { Millis } from '../../domain/index.ts'

/** When a request may leave, and how long it may take. */
export interface Deadline {
  readonly timeout: Millis
  readonly sendBy: Millis | null
  readonly signal: AbortSignal
  /** When the request's permit ends: the request must leave before. Null or absent: no such limit. */
  readonly leaveBy?: Millis | null
}
