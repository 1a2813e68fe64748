import type { Run, Scope } from '../../domain/index.ts'
import type { Page, RunQuery } from '../port.ts'
import { toRun } from './run-rows.ts'
import { listParameter, type Sql, scopeFilter, scopeParameter } from './sql.ts'

/** A filter that is absent is NULL, and holds. */
const statement = `SELECT * FROM runs WHERE ${scopeFilter('organization')}
  AND (?2 IS NULL OR organization IN (SELECT value FROM json_each(?2)))
  AND (?3 IS NULL OR type IN (SELECT value FROM json_each(?3)))
  AND (?4 IS NULL OR pins ->> '$.playbook.name' IN (SELECT value FROM json_each(?4)))
  AND started_at >= ?5
  AND (?6 IS NULL OR (started_at, id) < (?6, ?7))
  ORDER BY started_at DESC, id DESC LIMIT ?8`

export function listRuns(sql: Sql, scope: Scope, { organizations, types, playbooks, startedFrom, after, limit }: RunQuery): Page<Run> {
  const rows = sql.all(
    statement,
    scopeParameter(scope),
    listParameter(organizations),
    listParameter(types),
    listParameter(playbooks),
    startedFrom ?? 0,
    after?.startedAt ?? null,
    after?.id ?? null,
    limit + 1,
  )
  return { items: rows.slice(0, limit).map(toRun), more: rows.length > limit }
}
