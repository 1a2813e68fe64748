import type { Millis, Scope, Session, SessionId } from '../../domain/index.ts'

export interface SessionStore {
  open(scope: Scope, session: Pick<Session, 'id' | 'host' | 'pid'>): Promise<void>
  /** False when the session was declared dead, or closed: its runs are no longer its own, and it must not go on under that name. */
  heartbeat(scope: Scope, id: SessionId): Promise<boolean>
  /** Its runs are free at once, and none of them has died. */
  close(scope: Scope, id: SessionId): Promise<void>
  /** Declares dead the sessions without a heartbeat for `silence`, in store time. Returns how many. */
  bury(scope: Scope, silence: Millis): Promise<number>
}
