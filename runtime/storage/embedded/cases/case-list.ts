import { type Case, type Scope, severities, severityStep, spellingsOf } from '../../../domain/index.ts'
import type { CaseQuery, Page } from '../../port/index.ts'
import { beginning, listParameter, type Row, type Sql, scopeFilter, scopeParameter } from '../database/index.ts'
import { toCase } from './case-rows.ts'

/** A query whose order an index has. */
type OrderedQuery = CaseQuery & { readonly sort: 'created_at' | '-created_at' | 'modified_at' | '-modified_at' }

/**
 * Returns the conditions that are part of the statement, so that SQLite can use the indexes of cases that need
 * attention, of open and closed cases, and of one severity.
 */
function indexed({ attention, statuses, severities: wanted }: CaseQuery): string {
  const noticed = attention === undefined ? '' : `AND attention = ${attention ? 1 : 0}`
  const closed = statuses?.length === 1 && statuses[0] === 'closed' ? "AND status = 'closed'" : ''
  const open = statuses && !statuses.includes('closed') ? "AND status <> 'closed'" : ''
  const severity = wanted?.length === 1 ? 'AND severity = ?4' : 'AND (?4 IS NULL OR severity IN (SELECT value FROM json_each(?4)))'
  return `${noticed} ${closed} ${open} ${severity}`
}

/** Escapes what LIKE would read as a wildcard. */
function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}

export function listCases(sql: Sql, scope: Scope, query: CaseQuery): Page<Case> {
  const { sort = '-created_at' } = query
  const bySeverity = sort === 'severity' || sort === '-severity'
  const { rows, more } = bySeverity ? readBySeverity(sql, scope, query, sort) : readOrdered(sql, scope, { ...query, sort })
  return { items: rows.map(toCase), more }
}

interface Found {
  readonly rows: readonly Row[]
  readonly more: boolean
}

/** Reads one severity after the other, each by its index. Sorting all cases would take longer with every case. */
function readBySeverity(sql: Sql, scope: Scope, query: CaseQuery, sort: 'severity' | '-severity'): Found {
  const [direction, order] = sort === 'severity' ? ([1, 'created_at'] as const) : ([-1, '-created_at'] as const)
  const { after, limit, severities: wanted = severities } = query
  const begun = after && Math.floor(after.key / severityStep)
  const rows: Row[] = []
  for (const severity of direction === 1 ? severities : severities.toReversed()) {
    const rank = severities.indexOf(severity)
    if (!wanted.includes(severity) || (begun !== null && (rank - begun) * direction < 0)) continue
    const from = after && rank === begun ? { key: after.key - rank * severityStep, uuid: after.uuid } : null
    const part = readOrdered(sql, scope, { ...query, severities: [severity], sort: order, after: from, limit: limit - rows.length })
    rows.push(...part.rows)
    if (part.more) return { rows, more: true }
  }
  return { rows, more: false }
}

function readOrdered(sql: Sql, scope: Scope, query: OrderedQuery): Found {
  const { sort, after, limit, words = [], createdFrom = 0, createdTo = Number.MAX_SAFE_INTEGER, severities: wanted } = query
  const [key, beyond, direction] = [sort.replace('-', ''), ...(sort.startsWith('-') ? (['<', 'DESC'] as const) : (['>', 'ASC'] as const))]
  // The plus keeps the planner from the index of creation times. With limits of time, that index leaves fewer cases to sort.
  const unlimited = query.createdFrom === undefined && query.createdTo === undefined
  const created = key === 'modified_at' && unlimited ? '+created_at' : 'created_at'
  const found = words.map(
    (_, index) => `AND EXISTS (SELECT 1 FROM json_each(json_extract(?12, '$[${index}]')) AS said
      WHERE case_id LIKE said.value ESCAPE '\\' OR title LIKE said.value ESCAPE '\\' OR summary LIKE said.value ESCAPE '\\')`,
  )
  return sql.page(
    limit,
    `SELECT * FROM cases WHERE ${scopeFilter('organization')} ${indexed(query)}
       AND (?2 IS NULL OR organization IN (SELECT value FROM json_each(?2)))
       AND (?3 IS NULL OR status IN (SELECT value FROM json_each(?3)))
       AND (?5 IS NULL OR disposition IN (SELECT value FROM json_each(?5)))
       AND (?6 IS NULL OR EXISTS (SELECT 1 FROM json_each(?6) AS one WHERE one.value IS assignee))
       AND (?7 IS NULL OR EXISTS (SELECT 1 FROM json_each(desk, '$.tags') AS tag WHERE tag.value IN (SELECT value FROM json_each(?7))))
       AND ${created} >= ?8 AND ${created} < ?9
       AND ${beginning(`(${key}, uuid) ${beyond} (?10, ?11)`, after)}
       AND ?12 IS NOT NULL ${found.join(' ')}
     ORDER BY ${key} ${direction}, uuid ${direction} LIMIT ?13`,
    scopeParameter(scope),
    listParameter(query.organizations),
    listParameter(query.statuses),
    wanted?.length === 1 ? (wanted[0] ?? null) : listParameter(wanted),
    listParameter(query.dispositions),
    query.assignees ? JSON.stringify(query.assignees) : null,
    listParameter(query.tags),
    // As for alerts: with the position in both limits, SQLite never reads earlier pages.
    after && sort === 'created_at' ? Math.max(createdFrom, after.key) : createdFrom,
    after && sort === '-created_at' ? Math.min(createdTo, after.key + 1) : createdTo,
    after?.key ?? null,
    after?.uuid ?? null,
    JSON.stringify(words.map((word) => spellingsOf(word).map(containing))),
    limit + 1,
  )
}
