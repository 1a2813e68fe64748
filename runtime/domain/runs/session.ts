import type { SessionId } from '../ids.ts'
import type { Millis } from '../seams.ts'

/**
 * One worker process, from start to end. Runs name the session that claimed them. Other sessions may claim a
 * dead session's runs.
 */
export interface Session {
  readonly id: SessionId
  readonly host: string
  readonly pid: number
  readonly startedAt: Millis
  /** In store time. */
  readonly heartbeatAt: Millis
  /**
   * `closed`: its process has released everything. `dead`: its heartbeats stopped; one of the runs that it
   * worked on may be the reason.
   */
  readonly state: 'alive' | 'dead' | 'closed'
}

/** How often a worker sends a heartbeat. */
export const heartbeatEvery: Millis = 2_000
/** A session without a heartbeat for this long is declared dead, and stays dead. */
export const sessionDeadAfter: Millis = 10_000
