import { type Run, type RunState, runStates, type Scope } from '../../../domain/index.ts'
import type { Page, RunQuery } from '../../port/index.ts'
import { beginning, listParameter, type Sql, scopeFilter, scopeParameter } from '../database/index.ts'
import { toRun } from './run-rows.ts'

/**
 * Returns the statement for a list. An absent filter is NULL and lets every run through.
 * @param types condition on the type: SQLite has an index for one
 * @param states condition on the state; it is part of the statement, so that SQLite can use the index of
 * failed runs, and those of runs that have not ended
 * @param position where the page begins; part of the statement too, so that SQLite begins there and does not read all newer runs
 */
const statement = (types: string, states: string, position: string): string => `SELECT * FROM runs WHERE ${scopeFilter('organization')}
  AND (?2 IS NULL OR organization IN (SELECT value FROM json_each(?2)))
  ${types}
  AND (?4 IS NULL OR pins ->> '$.playbook.name' IN (SELECT value FROM json_each(?4)))
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

function typesFilter(types: readonly string[] | undefined): string {
  return types?.length === 1 ? 'AND type = ?3' : 'AND (?3 IS NULL OR type IN (SELECT value FROM json_each(?3)))'
}

export function listRuns(sql: Sql, scope: Scope, query: RunQuery): Page<Run> {
  const { organizations, types, playbooks, states, startedFrom, after, limit } = query
  const { rows, more } = sql.page(
    limit,
    statement(typesFilter(types), statesFilter(states), `AND ${beginning('(started_at, id) < (?6, ?7)', after)}`),
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
