import { type Run, type RunState, runStates, type Scope } from '../../../domain/index.ts'
import type { Page, RunQuery } from '../../port/index.ts'
import { beginning, fromFew, listParameter, type Narrowing, narrowest, type Sql, scopeFilter, scopeParameter } from '../database/index.ts'
import { toRun } from './run-rows.ts'

/** Returns the conditions that may leave few runs. One type has an index that also has the order. */
function narrowings(scope: Scope, { organizations, types, playbooks }: RunQuery): readonly Narrowing[] {
  const found: Narrowing[] = []
  const add = (parameter: string, value: string | null, column: string): void => {
    const keys = (values: string): string => `SELECT id AS key FROM runs WHERE ${column} IN (SELECT value FROM json_each(${values}))`
    if (value !== null) found.push({ keys, parameter, value })
  }
  add('?1', scopeParameter(scope), 'organization')
  add('?2', listParameter(organizations), 'organization')
  if (types?.length !== 1) add('?3', listParameter(types), 'type')
  add('?4', listParameter(playbooks), 'playbook')
  return found
}

/**
 * Returns the statement for a list. An absent filter is NULL and lets every run through.
 * @param from the runs, or the few that a condition leaves
 * @param values conditions on organization, type and playbook
 * @param states condition on the state; it is part of the statement, so that SQLite can use the index of
 * failed runs, and those of runs that have not ended
 * @param position where the page begins; part of the statement too, so that SQLite begins there and does not read all newer runs
 */
const statement = (from: string, values: string, states: string, position: string): string => `SELECT runs.* FROM ${from}
  WHERE ${scopeFilter('organization')}
  ${values}
  AND started_at >= ?5
  ${position}
  ${states}
  ORDER BY started_at DESC, id DESC LIMIT ?8`

/** The few runs that have not ended, by index. A list by time would look for them among all runs. */
const unended = `AND id IN (SELECT id FROM runs WHERE state = 'running'
  UNION ALL SELECT id FROM runs WHERE state = 'waiting' AND held_by IS NULL
  UNION ALL SELECT id FROM runs WHERE held_by IS NOT NULL)`

/** Returns the condition on the state. There are few different texts, so each statement is compiled once and kept. */
function statesFilter(states: readonly RunState[] | undefined): string {
  if (!states) return ''
  const named = runStates.filter((state) => states.includes(state))
  if (named.length === 1 && named[0] === 'failed') return `AND state = 'failed'`
  const few = named.every((state) => state === 'running' || state === 'waiting')
  return `AND state IN (${named.map((state) => `'${state}'`).join(', ')}) ${few ? unended : ''}`
}

/** Returns the conditions on organization, type and playbook. For one value, SQLite has an index that also has the order. */
function valuesFilter({ organizations, types, playbooks }: RunQuery, byValue: boolean): string {
  const among = (column: string, parameter: string, values: readonly string[] | undefined, exact: boolean): string =>
    exact && values?.length === 1
      ? `AND ${column} = (SELECT value FROM json_each(${parameter}))`
      : `AND (${parameter} IS NULL OR ${column} IN (SELECT value FROM json_each(${parameter})))`
  const type = types?.length === 1 ? 'AND type = ?3' : among('type', '?3', types, false)
  return `${among('organization', '?2', organizations, byValue)} ${type} ${among('playbook', '?4', playbooks, byValue)}`
}

/** Up to so many types or playbooks are read one by one, each by its index. */
const mostApart = 8

export function listRuns(sql: Sql, scope: Scope, query: RunQuery): Page<Run> {
  const narrowed = narrowest(sql, narrowings(scope, query))
  // Many runs have these types or playbooks, but the newest ones may have none of them.
  const parts = narrowed ? [] : partsOf(query)
  if (parts.length <= 1 || parts.length > mostApart) return readRuns(sql, scope, query, narrowed)
  return together(
    parts.map((part) => readRuns(sql, scope, part, null)),
    query.limit,
  )
}

/** Returns a query for each type, or else for each playbook. */
function partsOf(query: RunQuery): readonly RunQuery[] {
  const { types = [], playbooks = [] } = query
  const byType = types.length > 1 && types.length <= mostApart
  return byType ? types.map((type) => ({ ...query, types: [type] })) : playbooks.map((name) => ({ ...query, playbooks: [name] }))
}

/** Merges pages of lists. */
function together(pages: readonly Page<Run>[], limit: number): Page<Run> {
  const order = (a: Run, b: Run): number => b.startedAt - a.startedAt || (a.id === b.id ? 0 : a.id < b.id ? 1 : -1)
  // What comes after the last run of a page that goes on is not known.
  const [until] = pages.flatMap(({ items, more }) => (more ? (items.at(-1) ?? []) : [])).sort(order)
  const runs = pages.flatMap(({ items }) => items).sort(order)
  const known = runs.filter((run, index) => (!until || order(run, until) <= 0) && run.id !== runs[index - 1]?.id)
  return { items: known.slice(0, limit), more: until !== undefined || known.length > limit }
}

function readRuns(sql: Sql, scope: Scope, query: RunQuery, narrowed: Narrowing | null): Page<Run> {
  const { organizations, types, playbooks, states, startedFrom, after, limit } = query
  const position = `AND ${beginning('(started_at, id) < (?6, ?7)', after)}`
  // The indexes of failed runs, and of those that have not ended, leave fewer.
  const few = states !== undefined && !states.includes('completed')
  const { rows, more } = sql.page(
    limit,
    statement(fromFew('runs', 'id', narrowed), valuesFilter(query, !narrowed && !few), statesFilter(states), position),
    scopeParameter(scope),
    listParameter(organizations),
    types?.length === 1 ? (types[0] ?? null) : listParameter(types),
    listParameter(playbooks),
    startedFrom ?? 0,
    after?.startedAt ?? null,
    after?.id ?? null,
    limit + 1,
  )
  return { items: rows.map(toRun), more }
}
