import type { SessionId } from '../ids.ts'
import type { Millis } from '../seams.ts'

/** One life of one worker process. Runs name the session that claimed them; a dead session's runs are free. */
export interface Session {
  readonly id: SessionId
  readonly host: string
  readonly pid: number
  readonly startedAt: Millis
  /** In store time. */
  readonly heartbeatAt: Millis
  /** `closed`: its process has released everything. `dead`: its heartbeats stopped; one of the runs that it worked on may be the reason. */
  readonly state: 'alive' | 'dead' | 'closed'
}

/** A worker says that it lives this often. */
export const heartbeatEvery: Millis = 2_000
/** After this long without a heartbeat a session is declared dead, and stays so. */
export const sessionDeadAfter: Millis = 10_000
