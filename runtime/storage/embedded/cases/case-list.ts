import { type Case, type CaseSort, type Scope, severities, severityStep, spellingsOf } from '../../../domain/index.ts'
import type { CaseQuery, Page } from '../../port/index.ts'
import { beginning, listParameter, type Sql, scopeFilter, scopeParameter } from '../database/index.ts'
import { toCase } from './case-rows.ts'

const severityRank = `CASE severity ${severities.map((severity, rank) => `WHEN '${severity}' THEN ${rank}`).join(' ')} END`

function keyOf(sort: CaseSort): string {
  if (sort.endsWith('severity')) return `(${severityRank}) * ${severityStep} + created_at`
  return sort.endsWith('modified_at') ? 'modified_at' : 'created_at'
}

/**
 * Returns the conditions that are part of the statement, so that SQLite can use the indexes of cases that need
 * attention and of open cases.
 */
function indexed({ attention, statuses }: CaseQuery): string {
  const noticed = attention === undefined ? '' : `AND attention = ${attention ? 1 : 0}`
  return `${noticed} ${statuses && !statuses.includes('closed') ? "AND status <> 'closed'" : ''}`
}

/** Escapes what LIKE would read as a wildcard. */
function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}

export function listCases(sql: Sql, scope: Scope, query: CaseQuery): Page<Case> {
  const { sort = '-created_at', after, limit, words = [], createdFrom = 0, createdTo = Number.MAX_SAFE_INTEGER } = query
  const [beyond, direction] = sort.startsWith('-') ? ['<', 'DESC'] : ['>', 'ASC']
  const key = keyOf(sort)
  const found = words.map(
    (_, index) => `AND EXISTS (SELECT 1 FROM json_each(json_extract(?12, '$[${index}]')) AS said
      WHERE case_id LIKE said.value ESCAPE '\\' OR title LIKE said.value ESCAPE '\\' OR summary LIKE said.value ESCAPE '\\')`,
  )
  const { rows, more } = sql.page(
    limit,
    `SELECT * FROM cases WHERE ${scopeFilter('organization')} ${indexed(query)}
       AND (?2 IS NULL OR organization IN (SELECT value FROM json_each(?2)))
       AND (?3 IS NULL OR status IN (SELECT value FROM json_each(?3)))
       AND (?4 IS NULL OR severity IN (SELECT value FROM json_each(?4)))
       AND (?5 IS NULL OR disposition IN (SELECT value FROM json_each(?5)))
       AND (?6 IS NULL OR EXISTS (SELECT 1 FROM json_each(?6) AS one WHERE one.value IS assignee))
       AND (?7 IS NULL OR EXISTS (SELECT 1 FROM json_each(desk, '$.tags') AS tag WHERE tag.value IN (SELECT value FROM json_each(?7))))
       AND created_at >= ?8 AND created_at < ?9
       AND ${beginning(`(${key}, uuid) ${beyond} (?10, ?11)`, after)}
       AND ?12 IS NOT NULL ${found.join(' ')}
     ORDER BY ${key} ${direction}, uuid ${direction} LIMIT ?13`,
    scopeParameter(scope),
    listParameter(query.organizations),
    listParameter(query.statuses),
    listParameter(query.severities),
    listParameter(query.dispositions),
    query.assignees ? JSON.stringify(query.assignees) : null,
    listParameter(query.tags),
    // SQLite takes the limits of time or the position for the index. So the limits too leave out the pages before.
    after && sort === 'created_at' ? Math.max(createdFrom, after.key) : createdFrom,
    after && sort === '-created_at' ? Math.min(createdTo, after.key + 1) : createdTo,
    after?.key ?? null,
    after?.uuid ?? null,
    JSON.stringify(words.map((word) => spellingsOf(word).map(containing))),
    limit + 1,
  )
  return { items: rows.map(toCase), more }
}
