import { type Run, type RunState, runStates, type Scope } from '../../../domain/index.ts'
import type { Page, RunQuery } from '../../port/index.ts'
import { listParameter, type Sql, scopeFilter, scopeParameter } from '../database/index.ts'
import { toRun } from './run-rows.ts'

/**
 * Returns the statement for a list. An absent filter is NULL and lets every run through.
 * @param states condition on the state; it is part of the statement, so that SQLite can use the index of
 * failed runs
 */
const statement = (states: string): string => `SELECT * FROM runs WHERE ${scopeFilter('organization')}
  AND (?2 IS NULL OR organization IN (SELECT value FROM json_each(?2)))
  AND (?3 IS NULL OR type IN (SELECT value FROM json_each(?3)))
  AND (?4 IS NULL OR pins ->> '$.playbook.name' IN (SELECT value FROM json_each(?4)))
  AND started_at >= ?5
  AND (?6 IS NULL OR (started_at, id) < (?6, ?7))
  ${states}
  ORDER BY started_at DESC, id DESC LIMIT ?8`

/** Returns the condition on the state. There are few different texts, so each statement is compiled once and kept. */
function statesFilter(states: readonly RunState[] | undefined): string {
  if (!states) return ''
  const named = runStates.filter((state) => states.includes(state))
  return named.length === 1 ? `AND state = '${named[0]}'` : `AND state IN (${named.map((state) => `'${state}'`).join(', ')})`
}

export function listRuns(sql: Sql, scope: Scope, query: RunQuery): Page<Run> {
  const { organizations, types, playbooks, states, startedFrom, after, limit } = query
  const { rows, more } = sql.page(
    limit,
    statement(statesFilter(states)),
    scopeParameter(scope),
    listParameter(organizations),
    listParameter(types),
    listParameter(playbooks),
    startedFrom ?? 0,
    after?.startedAt ?? null,
    after?.id ?? null,
    limit + 1,
  )
  return { items: rows.map(toRun), more }
}
