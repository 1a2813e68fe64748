import { foldCode, inScope, type Organization, type Provider } from '../../../domain/index.ts'
import type { OrganizationStore, ProviderStore } from '../../port/index.ts'
import { mustSeeAll } from '../../scope-guard.ts'
import type { Synchronous } from '../database/index.ts'
import { type Row, type Sql, scopeFilter, scopeParameter } from '../database/index.ts'

function toOrganization(row: Row): Organization {
  return {
    id: row['id'],
    code: row['code'],
    name: row['name'],
    createdAt: row['created_at'],
    createdBy: row['created_by'],
  } as unknown as Organization
}

function toProvider(row: Row): Provider {
  return { code: row['code'], name: row['name'], createdAt: row['created_at'], createdBy: row['created_by'] } as unknown as Provider
}

/** The `OrganizationStore` of the port in SQLite. */
export function organizationTable(sql: Sql): Synchronous<OrganizationStore> {
  return {
    create(scope, { id, code, name, createdAt, createdBy }) {
      mustSeeAll(scope)
      const added = sql.run(
        'INSERT INTO organizations (id, code, folded, name, created_at, created_by) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
        id,
        code,
        foldCode(code),
        name,
        createdAt,
        createdBy,
      )
      return added ? 'created' : 'exists'
    },
    byCode(scope, codes) {
      const rows = sql.all('SELECT * FROM organizations WHERE code IN (SELECT value FROM json_each(?))', JSON.stringify(codes))
      return rows.map(toOrganization).filter((organization) => inScope(scope, organization.id))
    },
    byId(scope, ids) {
      const rows = sql.all('SELECT * FROM organizations WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
      return rows.map(toOrganization).filter((organization) => inScope(scope, organization.id))
    },
    list(scope, { after, limit }) {
      const rows = sql.all(
        `SELECT * FROM organizations WHERE ${scopeFilter('id')} AND folded > ?2 ORDER BY folded LIMIT ?3`,
        scopeParameter(scope),
        after ?? '',
        limit + 1,
      )
      return { items: rows.slice(0, limit).map(toOrganization), more: rows.length > limit }
    },
  }
}

/** The `ProviderStore` of the port in SQLite. */
export function providerTable(sql: Sql): Synchronous<ProviderStore> {
  return {
    create(_scope, { code, name, createdAt, createdBy }) {
      const added = sql.run(
        'INSERT INTO providers (folded, code, name, created_at, created_by) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
        foldCode(code),
        code,
        name,
        createdAt,
        createdBy,
      )
      return added ? 'created' : 'exists'
    },
    byCode(_scope, codes) {
      return sql.all('SELECT * FROM providers WHERE folded IN (SELECT value FROM json_each(?))', JSON.stringify(codes.map(foldCode))).map(toProvider)
    },
    list(_scope, { after, limit }) {
      const rows = sql.all('SELECT * FROM providers WHERE folded > ? ORDER BY folded LIMIT ?', after ?? '', limit + 1)
      return { items: rows.slice(0, limit).map(toProvider), more: rows.length > limit }
    },
  }
}
