import { type Connection, inScope, reaches } from '../../../domain/index.ts'
import type { ConnectionStore } from '../../port/index.ts'
import { mustReach, sees } from '../../scope-guard.ts'
import type { Synchronous } from '../database/index.ts'
import { type Row, type Sql, scopeFilter, scopeParameter } from '../database/index.ts'

function toConnection(row: Row): Connection {
  return { remoteAgent: null, role: null, lastTest: null, slots: [], ...JSON.parse(String(row['document'])) }
}

/** The `ConnectionStore` of the port in SQLite. */
export function connectionTable(sql: Sql): Synchronous<ConnectionStore> {
  const one = (id: string): Connection | null => {
    const row = sql.get('SELECT document FROM connections WHERE id = ?', id)
    return row ? toConnection(row) : null
  }
  const forgetToken = (id: string): number => sql.run('DELETE FROM access_tokens WHERE connection = ?', id)
  const nameTaken = ({ organization, instance, id }: Connection): boolean =>
    sql.get("SELECT 1 FROM connections WHERE ifnull(organization, '') = ? AND instance = ? AND id <> ?", organization ?? '', instance, id) !==
    undefined
  const defaultTaken = ({ organization, integration, isDefault, id }: Connection): boolean =>
    isDefault &&
    sql.get(
      `SELECT 1 FROM connections WHERE ifnull(organization, '') = ? AND id <> ? AND document ->> '$.integration' = ? AND document ->> '$.isDefault' = 1`,
      organization ?? '',
      id,
      integration,
    ) !== undefined

  return {
    create(scope, connection) {
      mustReach(reaches(scope, connection.organization), 'connection')
      if (nameTaken(connection)) return 'exists'
      if (defaultTaken(connection)) return 'default_exists'
      const { id, organization, instance, revision } = connection
      sql.run(
        'INSERT INTO connections (id, organization, instance, revision, document) VALUES (?, ?, ?, ?, ?)',
        id,
        organization,
        instance,
        revision,
        JSON.stringify(connection),
      )
      return 'created'
    },
    byId(scope, ids) {
      const rows = sql.all('SELECT document FROM connections WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
      return rows.map(toConnection).filter((connection) => sees(scope, connection.organization))
    },
    forOrganization(scope, organization) {
      if (!inScope(scope, organization)) return []
      return sql.all('SELECT document FROM connections WHERE organization IS NULL OR organization = ? ORDER BY id', organization).map(toConnection)
    },
    list(scope, { organizations, integrations, after, limit }) {
      const { rows, more } = sql.page(
        limit,
        `SELECT document FROM connections WHERE (organization IS NULL OR ${scopeFilter('organization')}) AND id > ?2
         AND (?4 IS NULL OR organization IN (SELECT value FROM json_each(?4)))
         AND (?5 IS NULL OR document ->> '$.integration' IN (SELECT value FROM json_each(?5))) ORDER BY id LIMIT ?3`,
        scopeParameter(scope),
        after ?? '',
        limit + 1,
        organizations ? JSON.stringify(organizations) : null,
        integrations ? JSON.stringify(integrations) : null,
      )
      return { items: rows.map(toConnection), more }
    },
    revise(scope, next) {
      const standing = one(next.id)
      if (!standing || !reaches(scope, standing.organization) || !reaches(scope, next.organization) || standing.revision !== next.revision - 1)
        return 'changed'
      if (nameTaken(next)) return 'exists'
      if (defaultTaken(next)) return 'default_exists'
      sql.run(
        'UPDATE connections SET organization = ?, instance = ?, revision = ?, document = ? WHERE id = ?',
        next.organization,
        next.instance,
        next.revision,
        JSON.stringify(next),
        next.id,
      )
      forgetToken(next.id)
      return 'revised'
    },
    noteTest(scope, { id, revision }, lastTest) {
      const standing = one(id)
      if (!standing || !reaches(scope, standing.organization) || standing.revision !== revision) return false
      return sql.run('UPDATE connections SET document = ? WHERE id = ?', JSON.stringify({ ...standing, lastTest }), id) > 0
    },
    reseal(scope, { id, revision, secrets }) {
      const standing = one(id)
      if (!standing || !reaches(scope, standing.organization) || standing.revision !== revision) return false
      return sql.run('UPDATE connections SET document = ? WHERE id = ?', JSON.stringify({ ...standing, secrets }), id) > 0
    },
    remove(scope, id) {
      const standing = one(id)
      if (!standing || !reaches(scope, standing.organization)) return false
      forgetToken(id)
      return sql.run('DELETE FROM connections WHERE id = ?', id) > 0
    },
  }
}
