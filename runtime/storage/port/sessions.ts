import type { Millis, Scope, Session, SessionId } from '../../domain/index.ts'

export interface SessionStore {
  open(scope: Scope, session: Pick<Session, 'id' | 'host' | 'pid'>): Promise<void>
  /** False if the session was declared dead or closed. Its runs no longer belong to it, and it must not go on under this id. */
  heartbeat(scope: Scope, id: SessionId): Promise<boolean>
  /** Frees the session's runs at once. This counts as no death of theirs. */
  close(scope: Scope, id: SessionId): Promise<void>
  /** Declares dead the sessions without a heartbeat for `silence`, in store time. Returns how many. */
  bury(scope: Scope, silence: Millis): Promise<number>
}
