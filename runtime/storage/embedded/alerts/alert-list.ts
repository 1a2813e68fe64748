import { type Alert, type AlertUuid, asId, inScope, type OrganizationId, type Scope } from '../../../domain/index.ts'
import type { AlertConditions, AlertPosition, AlertQuery, AlertStore, AlertTally, Page } from '../../port/index.ts'
import { isSearch, mostLookedUp, statesWanted, statusesOf } from '../../words/index.ts'
import { eachOf, merged, type Row, type Sql, type Synchronous } from '../database/index.ts'
import { conditionsOf, contentOf, limitsOf, ofCase, parametersOf, rangeOf } from './alert-conditions.ts'
import { alertColumns, alertTables, toAlert } from './alert-rows.ts'
import { keyOf, WordIndex } from './word-index.ts'
import { searchWords } from './word-search.ts'

/** Returns the row ids of all alerts that a case, a repeated alert or a status leaves, if there are few. Null otherwise. */
function fewOf(sql: Sql, conditions: AlertConditions): readonly number[] | null {
  const { case: ofCaseUuid, duplicateOf } = conditions
  const idsOf = (rows: readonly Row[]): readonly number[] => rows.map(({ id }) => Number(id))
  if (ofCaseUuid !== undefined) return idsOf(sql.allNamed(ofCase, { case: ofCaseUuid }))
  const few = (condition: string, value: string): readonly number[] | null => {
    const rows = sql.all(`SELECT id FROM alert_states WHERE ${condition} LIMIT ?2`, value, mostLookedUp + 1)
    return rows.length > mostLookedUp ? null : idsOf(rows)
  }
  if (duplicateOf !== undefined) return few('duplicate_of = ?1', duplicateOf)
  const among = statusesOf(conditions)
  return among ? few('status IN (SELECT value FROM json_each(?1))', JSON.stringify(among)) : null
}

/** The tables, for alerts whose row ids are known. */
const lookUpTables = 'json_each(:ids) j CROSS JOIN alerts a ON a.id = j.value CROSS JOIN alert_states s ON s.id = a.id'
/** The alerts of up to so many organizations are read one by one, each by its index, and merged. With more, most alerts are of one of them. */
const mostApart = 64

/** Returns the organizations whose alerts are wanted. Null: all. */
export function wantedOrganizations(scope: Scope, { organizations }: Pick<AlertConditions, 'organizations'>): readonly OrganizationId[] | null {
  if (scope.organizations === 'all') return organizations ? [...new Set(organizations)] : null
  return [...new Set(organizations?.filter((id) => inScope(scope, id)) ?? scope.organizations)]
}

/**
 * Returns a statement that reads alerts in the order of time, without a sort. Reads those of each organization by its index: in the order of
 * time, the alerts of a small organization may be far apart.
 */
export function inOrder(columns: string, tables: string, organizations: readonly OrganizationId[] | null, conditions: string, order: string): string {
  const select = (index: string): string => `${columns} FROM ${tables.replace('alerts a', `alerts a INDEXED BY ${index}`)}`
  if (organizations === null || organizations.length > mostApart) return `SELECT ${select('alerts_created')} WHERE ${conditions} ${order}`
  const each = organizations.length === 0 ? ['FALSE'] : eachOf('a.organization', ':apart', organizations.length)
  return merged(select('alerts_organization'), each, conditions, order)
}

/** Returns the parameter of `inOrder`. */
export function apartOf(organizations: readonly OrganizationId[] | null): { readonly apart?: string } {
  return organizations === null || organizations.length === 0 || organizations.length > mostApart ? {} : { apart: JSON.stringify(organizations) }
}

/** How many of the next alerts are looked at first. Mostly they fill a page, and the look takes a fraction of a millisecond. */
const nearby = 256

/** Whether the page may be filled by the next alerts: their states, types and providers are looked up, their words are not. */
function isCommon(conditions: AlertConditions): boolean {
  const { words = [], contains, case: ofCaseUuid, duplicateOf, types, providers } = conditions
  if (words.length > 0 || contains || ofCaseUuid !== undefined || duplicateOf !== undefined) return false
  return types !== undefined || providers !== undefined || statesWanted(conditions).length > 0
}

/** Lists and counts alerts. */
export function alertLists(sql: Sql): Pick<Synchronous<AlertStore>, 'list' | 'tally'> {
  const index = new WordIndex(sql)

  function list(scope: Scope, query: AlertQuery): Page<Alert> {
    const { after, preview } = query
    const limit = query.limit + 1
    const [direction, comparison, order] = query.sort === 'created_at' ? ([1, '>', 'ASC'] as const) : ([-1, '<', 'DESC'] as const)
    const organizations = wantedOrganizations(scope, query)
    const columns = `${alertColumns}, substr(a.content, 1, :preview) AS content`
    const range = rangeOf(query, after, comparison)
    const filters = `${range} AND ${conditionsOf(query)} AND ${contentOf(query)}`
    const ordered = (most: string): string => `ORDER BY created_at ${order}, uuid ${order} LIMIT ${most}`
    const parameters = { ...parametersOf(scope, query, after, comparison), preview, limit }
    const matching = (tables: string): string => `SELECT ${columns} FROM ${tables} WHERE ${filters} ${ordered(':limit')}`
    const lookUp = (ids: readonly number[]): readonly Row[] => sql.allNamed(matching(lookUpTables), { ...parameters, ids: JSON.stringify(ids) })
    const read = (statement: string): readonly Row[] => sql.allNamed(statement, { ...parameters, ...apartOf(organizations) })
    const pageOf = (rows: readonly Row[]): Page<Alert> => ({ items: rows.slice(0, query.limit).map(toAlert), more: rows.length === limit })
    if (isCommon(query)) {
      const next = inOrder('a.id, a.created_at, a.uuid', 'alerts a', organizations, range, ordered(`${nearby}`))
      const near = read(matching(`(SELECT id FROM (${next})) n CROSS JOIN alerts a ON a.id = n.id CROSS JOIN alert_states s ON s.id = a.id`))
      if (near.length === limit) return pageOf(near)
    }
    const among = fewOf(sql, query)
    const states = statesWanted(query)
    let rows: readonly Row[]
    if (isSearch(query) || (!among && states.length > 0))
      rows = searchWords(sql, index, { scope, conditions: query, after, direction, limit, among, states, load: lookUp })
    else rows = among ? lookUp(among) : read(inOrder(columns, alertTables, organizations, filters, ordered(':limit')))
    return pageOf(rows)
  }

  /**
   * Counts among the next alerts that the index of words finds, or else among the next ones by time. The position of the last one is the
   * smallest of a text that sorts as the list does. With limits alone, the index has all that it needs.
   */
  function tally(scope: Scope, conditions: AlertConditions, after: AlertPosition | null, examine: number): AlertTally {
    const { organizations: _o, createdFrom: _f, createdTo: _t, ...others } = conditions
    const limitsAlone = Object.values(others).every((condition) => condition === undefined)
    const matching = limitsAlone ? '1' : `iif(${conditionsOf(conditions)}, ${contentOf(conditions)}, 0)`
    const parameters = (limitsAlone ? limitsOf : parametersOf)(scope, conditions, after, '<')
    const columns = `a.created_at, a.uuid, ${matching} AS matching`
    const [range, ordered] = [rangeOf(conditions, after, '<'), 'ORDER BY created_at DESC, uuid DESC LIMIT :examine']
    const lookUp = `SELECT ${columns} FROM ${lookUpTables} WHERE ${range} ${ordered}`
    const among = fewOf(sql, conditions)
    if (isSearch(conditions)) {
      const load = (ids: readonly number[]): readonly Row[] => sql.allNamed(lookUp, { ...parameters, examine, ids: JSON.stringify(ids) })
      const states = statesWanted(conditions)
      const rows = searchWords(sql, index, { scope, conditions, after, direction: -1, limit: examine, among, states, load })
      const last = rows.at(-1)
      const { createdAt, uuid } = keyOf(last ?? {})
      return {
        matching: rows.reduce((sum, row) => sum + Number(row['matching']), 0),
        next: rows.length === examine ? { createdAt, uuid: asId<AlertUuid>(uuid) } : null,
      }
    }
    const organizations = wantedOrganizations(scope, conditions)
    const examined = among ? lookUp : inOrder(columns, limitsAlone ? 'alerts a' : alertTables, organizations, range, ordered)
    const [row] = sql.allNamed(
      `SELECT count(*) AS examined, total(matching) AS matching, min(printf('%016d ', created_at) || uuid) AS last FROM (${examined})`,
      { ...parameters, examine, ...(among ? { ids: JSON.stringify(among) } : apartOf(organizations)) },
    )
    const last = String(row?.['last'] ?? '')
    const more = Number(row?.['examined'] ?? 0) === examine
    return {
      matching: Number(row?.['matching'] ?? 0),
      next: more ? { createdAt: Number(last.slice(0, 16)), uuid: asId<AlertUuid>(last.slice(17)) } : null,
    }
  }

  return { list, tally }
}
