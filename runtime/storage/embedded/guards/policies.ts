import { inScope, type OrganizationPolicy } from '../../../domain/index.ts'
import type { PolicyStore } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import type { Synchronous } from '../database/index.ts'
import { type Row, type Sql, scopeFilter, scopeParameter } from '../database/index.ts'

function toPolicy(row: Row): OrganizationPolicy {
  return JSON.parse(String(row['document'])) as OrganizationPolicy
}

/** The `PolicyStore` of the port in SQLite. */
export function policyTable(sql: Sql): Synchronous<PolicyStore> {
  const get: Synchronous<PolicyStore>['get'] = (scope, organization) => {
    if (!inScope(scope, organization)) return null
    const row = sql.get('SELECT document FROM policies WHERE organization = ? ORDER BY revision DESC LIMIT 1', organization)
    return row ? toPolicy(row) : null
  }

  return {
    get,
    revision(scope, organization, revision) {
      if (!inScope(scope, organization)) return null
      const row = sql.get('SELECT document FROM policies WHERE organization = ? AND revision = ?', organization, revision)
      return row ? toPolicy(row) : null
    },
    all(scope) {
      const rows = sql.all(
        `SELECT document, max(revision) FROM policies WHERE ${scopeFilter('organization')} GROUP BY organization ORDER BY organization`,
        scopeParameter(scope),
      )
      return rows.map(toPolicy)
    },
    set(scope, next) {
      const { organization, revision } = next
      mustReach(inScope(scope, organization), 'policy')
      if ((get(scope, organization)?.revision ?? 0) !== revision - 1) return 'changed'
      sql.run('INSERT INTO policies (organization, revision, document) VALUES (?, ?, ?)', organization, revision, JSON.stringify(next))
      return 'set'
    },
    history(scope, organization, limit) {
      if (!inScope(scope, organization)) return []
      return sql.page(limit, 'SELECT document FROM policies WHERE organization = ? ORDER BY revision DESC', organization).rows.map(toPolicy)
    },
  }
}
