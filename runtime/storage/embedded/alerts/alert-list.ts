import { type Alert, type AlertUuid, asId, type Scope } from '../../../domain/index.ts'
import type { AlertConditions, AlertPosition, AlertQuery, AlertStore, AlertTally, Page } from '../../port/index.ts'
import { isSearch, mostLookedUp, statesWanted, statusesOf } from '../../words/index.ts'
import type { Row, Sql, Synchronous } from '../database/index.ts'
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
/** The alerts in the order of time. With a filter by organization, the planner should use the index by organization. */
function orderTable({ organizations }: AlertConditions): string {
  return organizations ? 'alerts a' : 'alerts a INDEXED BY alerts_created'
}

/** Both tables in this order. */
function inOrder(conditions: AlertConditions): string {
  return alertTables.replace('alerts a', orderTable(conditions))
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
    const read = (tables: string, ids?: readonly number[]): readonly Row[] =>
      sql.allNamed(
        `SELECT ${alertColumns}, substr(a.content, 1, :preview) AS content FROM ${tables}
         WHERE ${rangeOf(query, after, comparison)} AND ${conditionsOf(query)} AND ${contentOf(query)}
         ORDER BY a.created_at ${order}, a.uuid ${order} LIMIT :limit`,
        { ...parametersOf(scope, query, after, comparison), preview, limit, ...(ids && { ids: JSON.stringify(ids) }) },
      )
    const lookUp = (ids: readonly number[]): readonly Row[] => read(lookUpTables, ids)
    const pageOf = (rows: readonly Row[]): Page<Alert> => ({ items: rows.slice(0, query.limit).map(toAlert), more: rows.length === limit })
    if (isCommon(query)) {
      const range = `SELECT a.id FROM ${orderTable(query)} WHERE ${rangeOf(query, after, comparison)}`
      const near = read(
        `(${range} ORDER BY a.created_at ${order}, a.uuid ${order} LIMIT ${nearby}) n CROSS JOIN alerts a ON a.id = n.id CROSS JOIN alert_states s ON s.id = a.id`,
      )
      if (near.length === limit) return pageOf(near)
    }
    const among = fewOf(sql, query)
    const states = statesWanted(query)
    let rows: readonly Row[]
    if (isSearch(query) || (!among && states.length > 0))
      rows = searchWords(sql, index, { scope, conditions: query, after, direction, limit, among, states, load: lookUp })
    else rows = among ? lookUp(among) : read(inOrder(query))
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
    const ordered = (tables: string): string => `SELECT a.created_at, a.uuid, ${matching} AS matching FROM ${tables}
      WHERE ${rangeOf(conditions, after, '<')} ORDER BY a.created_at DESC, a.uuid DESC LIMIT :examine`
    const among = fewOf(sql, conditions)
    if (isSearch(conditions)) {
      const load = (ids: readonly number[]): readonly Row[] =>
        sql.allNamed(ordered(lookUpTables), { ...parameters, examine, ids: JSON.stringify(ids) })
      const states = statesWanted(conditions)
      const rows = searchWords(sql, index, { scope, conditions, after, direction: -1, limit: examine, among, states, load })
      const last = rows.at(-1)
      const { createdAt, uuid } = keyOf(last ?? {})
      return {
        matching: rows.reduce((sum, row) => sum + Number(row['matching']), 0),
        next: rows.length === examine ? { createdAt, uuid: asId<AlertUuid>(uuid) } : null,
      }
    }
    const tables = limitsAlone ? 'alerts a' : among ? lookUpTables : inOrder(conditions)
    const [row] = sql.allNamed(
      `SELECT count(*) AS examined, total(matching) AS matching, min(printf('%016d ', created_at) || uuid) AS last FROM (${ordered(tables)})`,
      { ...parameters, examine, ...(among && { ids: JSON.stringify(among) }) },
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
