import type { SessionId } from './ids.ts'
import type { Millis } from './seams.ts'

/** One life of one worker process. Runs name the session that claimed them; a dead session's runs are free. */
export interface Session {
  readonly id: SessionId
  readonly host: string
  readonly pid: number
  readonly startedAt: Millis
  /** In store time. */
  readonly heartbeatAt: Millis
  /** `closed`: its process has let go of all that it had. `dead`: it was not heard of any more; whatever it had in work may be why. */
  readonly state: 'alive' | 'dead' | 'closed'
}

/** A worker says that it lives this often. */
export const heartbeatEvery: Millis = 2_000
/** After this long without a heartbeat a session is declared dead, and stays so. */
export const sessionDeadAfter: Millis = 10_000
