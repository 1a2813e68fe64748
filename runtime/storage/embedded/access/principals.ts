import { type ApiKey, inScope, type Principal, type Scope } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import type { KeyCount, PrincipalStore } from '../../port/index.ts'
import type { Row, Sql, Synchronous } from '../database/index.ts'

function toPrincipal(row: Row): Principal {
  return {
    id: row['id'],
    name: row['name'],
    permissions: JSON.parse(String(row['permissions'])),
    organizations: row['organizations'] === null ? 'all' : JSON.parse(String(row['organizations'])),
    createdAt: row['created_at'],
    createdBy: row['created_by'],
  } as Principal
}

function toKey(row: Row): ApiKey {
  return {
    id: row['key_id'],
    principal: row['id'],
    name: row['key_name'],
    hash: row['hash'],
    createdAt: row['key_created_at'],
    revokedAt: row['revoked_at'],
    expiresAt: row['expires_at'],
    lastUsedAt: row['last_used_at'],
  } as ApiKey
}

/** A scope sees a principal if it covers all of the principal's organizations. */
function sees(scope: Scope, principal: Principal): boolean {
  const { organizations } = scope
  if (organizations === 'all') return true
  return principal.organizations !== 'all' && principal.organizations.every((id) => organizations.includes(id))
}

/** Each key with its principal. */
const owned = 'keys JOIN principals ON principals.id = keys.principal'
const keyed = `SELECT principals.*, keys.id AS key_id, keys.name AS key_name, keys.hash, keys.created_at AS key_created_at, keys.revoked_at,
  keys.expires_at, keys.last_used_at FROM ${owned}`
/** The keys that are valid at the time `?1`. */
const valid = 'keys.revoked_at IS NULL AND (keys.expires_at IS NULL OR keys.expires_at > ?1)'

/** The `PrincipalStore` of the port in SQLite. */
export function principalTable(sql: Sql): Synchronous<PrincipalStore> {
  return {
    create(scope, principal) {
      if (!sees(scope, principal))
        throw new TocsinError('organization_forbidden', 'The principal would see organizations that its creator cannot see.')
      const { id, name, permissions, organizations, createdAt, createdBy } = principal
      sql.run(
        'INSERT INTO principals (id, name, permissions, organizations, created_at, created_by) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
        id,
        name,
        JSON.stringify(permissions),
        organizations === 'all' ? null : JSON.stringify(organizations),
        createdAt,
        createdBy,
      )
    },
    byId(scope, ids) {
      const rows = sql.all('SELECT * FROM principals WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
      return rows.map(toPrincipal).filter((principal) => sees(scope, principal))
    },
    addKey(scope, { id, principal, name, hash, createdAt, revokedAt, expiresAt, lastUsedAt }) {
      const owner = sql.get('SELECT * FROM principals WHERE id = ?', principal)
      if (!owner || !sees(scope, toPrincipal(owner)))
        throw new TocsinError('organization_forbidden', 'The principal is outside the scope of this caller.')
      const added = sql.run(
        `INSERT INTO keys (id, principal, name, hash, created_at, revoked_at, expires_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT DO NOTHING`,
        id,
        principal,
        name,
        hash,
        createdAt,
        revokedAt,
        expiresAt,
        lastUsedAt,
      )
      return added ? 'added' : 'exists'
    },
    keyByHash(scope, hash) {
      const row = sql.get(`${keyed} WHERE keys.hash = ? AND keys.revoked_at IS NULL`, hash)
      if (!row) return null
      const principal = toPrincipal(row)
      return sees(scope, principal) ? { key: toKey(row), principal } : null
    },
    keyById(scope, id) {
      const row = sql.get(`${keyed} WHERE keys.id = ?`, id)
      const principal = row && toPrincipal(row)
      return principal && sees(scope, principal) ? { key: toKey(row), principal } : null
    },
    mostKeys(scope, organizations, at) {
      const none = { organization: null, keys: 0 }
      if (organizations === 'all') {
        if (scope.organizations !== 'all') return none
        const row = sql.get(`SELECT count(*) AS keys FROM ${owned} WHERE principals.organizations IS NULL AND ${valid}`, at)
        return { ...none, keys: Number(row?.['keys']) }
      }
      const row = sql.get(
        `SELECT reach.value AS organization, count(*) AS keys FROM ${owned}, json_each(principals.organizations) AS reach
          WHERE ${valid} AND reach.value IN (SELECT value FROM json_each(?2))
          GROUP BY reach.value ORDER BY keys DESC, reach.value LIMIT 1`,
        at,
        JSON.stringify(organizations.filter((id) => inScope(scope, id))),
      )
      return row ? ({ organization: row['organization'], keys: row['keys'] } as KeyCount) : none
    },
    listKeys(scope, { after, limit }) {
      const found = []
      // The database cannot filter keys by scope, because a principal's organizations are a JSON list. There
      // are few keys, so read on until the page is full.
      for (const row of sql.all(`${keyed} WHERE (?1 IS NULL OR keys.id < ?1) ORDER BY keys.id DESC`, after)) {
        const principal = toPrincipal(row)
        if (sees(scope, principal)) found.push({ key: toKey(row), principal })
        if (found.length > limit) break
      }
      return { items: found.slice(0, limit), more: found.length > limit }
    },
    revokeKey(scope, id, at) {
      const row = sql.get(`${keyed} WHERE keys.id = ?`, id)
      if (!row || !sees(scope, toPrincipal(row))) return null
      sql.run('UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', at, id)
      const key = toKey(row)
      return { ...key, revokedAt: key.revokedAt ?? at }
    },
    noteKeyUse(scope, id, at) {
      const row = sql.get(`${keyed} WHERE keys.id = ? AND ifnull(keys.last_used_at, 0) < ?`, id, at)
      if (row && sees(scope, toPrincipal(row))) sql.run('UPDATE keys SET last_used_at = ? WHERE id = ?', at, id)
    },
  }
}
