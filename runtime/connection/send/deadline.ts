import type { Millis } from '../../domain/index.ts'

/** When a request may leave and how long it may take. */
export interface Deadline {
  readonly timeout: Millis
  readonly sendBy: Millis | null
  readonly signal: AbortSignal
  /** When its permit ends: it must leave before. Null or absent: it may leave later. */
  readonly leaveBy?: Millis | null
}
