import type { ConnectionRevision, KeptToken, Scope } from '../../../domain/index.ts'
import type { TokenStore } from '../../port/index.ts'
import type { Synchronous } from '../database/index.ts'
import { type Row, type Sql, scopeFilter, scopeParameter } from '../database/index.ts'

function toToken(row: Row): KeptToken | null {
  if (row['sealed'] === null) return null
  const expiresAt = row['expires_at'] === null ? null : Number(row['expires_at'])
  return { version: Number(row['version']), sealed: JSON.parse(String(row['sealed'])), expiresAt }
}

/** A connection's row here is deleted in the transaction that changes or removes the connection. */
export function tokenTable(sql: Sql): Synchronous<TokenStore> {
  const stands = (scope: Scope, { id, revision }: ConnectionRevision): boolean =>
    sql.get(
      `SELECT 1 FROM connections WHERE (organization IS NULL OR ${scopeFilter('organization')}) AND id = ?2 AND revision = ?3`,
      scopeParameter(scope),
      id,
      revision,
    ) !== undefined
  const rowOf = (scope: Scope, connection: ConnectionRevision): Row | null =>
    stands(scope, connection) ? (sql.get('SELECT * FROM access_tokens WHERE connection = ?', connection.id) ?? null) : null
  const lasts = (until: Row[string] | undefined): boolean => typeof until === 'number' && until > sql.now

  return {
    get(scope, connection) {
      const row = rowOf(scope, connection)
      return row && toToken(row)
    },
    lease(scope, connection, { seen, holder, duration, anew }) {
      if (!stands(scope, connection)) return { kind: 'gone' }
      const row = rowOf(scope, connection)
      const token = row && toToken(row)
      if (token && token.version > seen) return { kind: 'newer', token }
      if (row && lasts(row['leased_until'])) return { kind: 'held' }
      if (row && !anew && lasts(row['refused_until'])) return { kind: 'refused', refusal: JSON.parse(String(row['refusal'])) }
      sql.run(
        `INSERT INTO access_tokens (connection, version, holder, leased_until) VALUES (?1, 0, ?2, ?3)
         ON CONFLICT DO UPDATE SET holder = ?2, leased_until = ?3, refusal = NULL, refused_until = NULL`,
        connection.id,
        holder,
        sql.now + duration,
      )
      return { kind: 'taken' }
    },
    put(scope, connection, holder, { sealed, expiresAt }) {
      const row = rowOf(scope, connection)
      if (!row || row['holder'] !== holder) return null
      const version = Number(row['version']) + 1
      sql.run(
        `UPDATE access_tokens SET version = ?, sealed = ?, expires_at = ?, holder = NULL, leased_until = NULL, refusal = NULL, refused_until = NULL
         WHERE connection = ?`,
        version,
        JSON.stringify(sealed),
        expiresAt,
        connection.id,
      )
      return { version, sealed, expiresAt }
    },
    release(scope, connection, holder, refused) {
      if (rowOf(scope, connection)?.['holder'] !== holder) return
      sql.run(
        'UPDATE access_tokens SET holder = NULL, leased_until = NULL, refusal = ?, refused_until = ? WHERE connection = ?',
        refused && JSON.stringify(refused.refusal),
        refused && sql.now + refused.duration,
        connection.id,
      )
    },
  }
}
