import type { Session, SessionId } from '../../../domain/index.ts'
import type { SessionStore } from '../../port/index.ts'
import type { Sql, Synchronous } from '../database/index.ts'

/** How long dead sessions are kept, for people who examine the file after a fault. Milliseconds. */
const keepDead = 24 * 60 * 60 * 1000

/** Returns the state of a session. Null if the session is unknown. */
export function sessionState(sql: Sql, id: SessionId): Session['state'] | null {
  const row = sql.get('SELECT state FROM sessions WHERE id = ?', id)
  return row ? (row['state'] as Session['state']) : null
}

/** The `SessionStore` of the port in SQLite. */
export function sessionTable(sql: Sql): Synchronous<SessionStore> {
  return {
    open(_scope, { id, host, pid }) {
      sql.run(
        "INSERT INTO sessions (id, host, pid, started_at, heartbeat_at, state) VALUES (?, ?, ?, ?, ?, 'alive')",
        id,
        host,
        pid,
        sql.now,
        sql.now,
      )
    },
    heartbeat(_scope, id) {
      return sql.run("UPDATE sessions SET heartbeat_at = ? WHERE id = ? AND state = 'alive'", sql.now, id) > 0
    },
    close(_scope, id) {
      sql.run("UPDATE sessions SET state = 'closed' WHERE id = ?", id)
    },
    bury(_scope, silence) {
      // An unknown session counts as closed, so ended sessions do not have to be kept for ever.
      sql.run("DELETE FROM sessions WHERE state != 'alive' AND heartbeat_at < ?", sql.now - keepDead)
      return sql.run("UPDATE sessions SET state = 'dead' WHERE state = 'alive' AND heartbeat_at <= ?", sql.now - silence)
    },
  }
}
