import type { Session, SessionId } from '../../../domain/index.ts'

/**
 * A session. Its dates are server time: a worker's own clock may be wrong, and must not decide which session
 * is dead.
 */
export interface SessionDocument extends Pick<Session, 'host' | 'pid' | 'state'> {
  readonly _id: SessionId
  readonly startedAt: Date
  readonly heartbeatAt: Date
}
