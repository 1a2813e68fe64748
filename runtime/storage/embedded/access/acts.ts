import type { Act, Scope } from '../../../domain/index.ts'
import { actsKeptFor } from '../../../domain/index.ts'
import { actTerms, wantedActTerms } from '../../act-terms.ts'
import type { ActPage, ActStore } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import { beginning, type Row, type Sql, type Synchronous } from '../database/index.ts'

/** How many acts that are too old each new act deletes. With only one, their number would never fall. */
const deletedAtOnce = 4

function toAct(row: Row): Act {
  return JSON.parse(String(row['document'])) as Act
}

/** The `ActStore` of the port in SQLite. */
export function actTable(sql: Sql): Synchronous<ActStore> {
  const remove = (act: Act): void => {
    for (const term of actTerms(act)) sql.run('DELETE FROM act_terms WHERE term = ? AND at = ? AND act = ?', term, act.at, act.id)
    sql.run('DELETE FROM acts WHERE at = ? AND id = ?', act.at, act.id)
  }

  return {
    add(scope, act) {
      mustReach(scope.organizations === 'all', 'audit log')
      sql.run('INSERT OR IGNORE INTO acts (at, id, document) VALUES (?, ?, ?)', act.at, act.id, JSON.stringify(act))
      for (const term of actTerms(act)) sql.run('INSERT OR IGNORE INTO act_terms (term, at, act) VALUES (?, ?, ?)', term, act.at, act.id)
      const old = sql.all('SELECT document FROM acts WHERE at < ? ORDER BY at, id LIMIT ?', sql.now - actsKeptFor, deletedAtOnce)
      for (const row of old) remove(toAct(row))
    },
    list: (scope, page) => list(sql, scope, page),
  }
}

/** Reads the acts with the first wanted term from its index, newest first, and skips those without the other terms. */
function list(sql: Sql, scope: Scope, page: ActPage): ReturnType<Synchronous<ActStore>['list']> {
  if (scope.organizations !== 'all') return { items: [], more: false }
  const [first, ...others] = wantedActTerms(page)
  const source = first === undefined ? 'acts' : 'act_terms found JOIN acts ON acts.at = found.at AND acts.id = found.act'
  const place = first === undefined ? { at: 'acts.at', id: 'acts.id' } : { at: 'found.at', id: 'found.act' }
  const conditions = [
    `${place.at} >= ?1 AND ${place.at} < ?2`,
    beginning(`(${place.at}, ${place.id}) < (?3, ?4)`, page.after),
    ...(first === undefined ? [] : ['found.term = ?6']),
    ...others.map((_, index) => `EXISTS (SELECT 1 FROM act_terms WHERE term = ?${7 + index} AND at = ${place.at} AND act = ${place.id})`),
  ]
  const { rows, more } = sql.page(
    page.limit,
    `SELECT document FROM ${source} WHERE ${conditions.join(' AND ')} ORDER BY ${place.at} DESC, ${place.id} DESC LIMIT ?5`,
    page.from ?? 0,
    page.before ?? Number.MAX_SAFE_INTEGER,
    page.after?.at ?? null,
    page.after?.id ?? null,
    page.limit + 1,
    ...(first === undefined ? [] : [first, ...others]),
  )
  return { items: rows.map(toAct), more }
}
