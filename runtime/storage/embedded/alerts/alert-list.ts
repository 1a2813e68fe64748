import type { Alert, Scope } from '../../../domain/index.ts'
import type { AlertQuery, Page } from '../../port/index.ts'
import { listParameter, type Sql, scopeParameter } from '../database/index.ts'
import { alertColumns, alertTables, toAlert } from './alert-rows.ts'

/**
 * Returns the full-text query for these words. The index holds the words that `tokensOf` made, joined by
 * spaces. SQLite's `ascii` tokenizer splits them at nothing else, so a prefix means the same here as in the
 * domain. Words have only letters and digits, so they cannot break the quotes.
 */
function matchExpression(words: readonly string[]): string {
  return words.map((word) => `"${word}"*`).join(' AND ')
}

/**
 * Returns the statement for a list. An absent filter is NULL and lets every alert through. So there is one
 * statement, compiled once, for each combination of these four parameters.
 */
function statement(direction: '<' | '>', order: 'ASC' | 'DESC', words: boolean, organizations: boolean): string {
  // With a filter by organization, the planner should use the index by organization. Otherwise it should use
  // the index by time.
  const table = organizations ? 'alerts a' : 'alerts a INDEXED BY alerts_created'
  return `SELECT ${alertColumns}, substr(a.content, 1, :preview) AS content
    FROM ${words ? alertTables : alertTables.replace('alerts a', table)}
    WHERE (:scope IS NULL OR a.organization IN (SELECT value FROM json_each(:scope)))
      ${organizations ? 'AND a.organization IN (SELECT value FROM json_each(:organizations))' : ''}
      AND (:providers IS NULL OR a.provider_folded IN (SELECT value FROM json_each(:providers)))
      AND (:types IS NULL OR a.type_key IN (SELECT value FROM json_each(:types)))
      AND (:statuses IS NULL OR s.status IN (SELECT value FROM json_each(:statuses)))
      AND (:duplicateOf IS NULL OR s.duplicate_of = :duplicateOf)
      AND a.created_at >= :from AND a.created_at < :to
      ${words ? 'AND a.id IN (SELECT rowid FROM alert_words WHERE alert_words MATCH :words)' : ''}
      AND (:afterAt IS NULL OR (a.created_at, a.uuid) ${direction} (:afterAt, :afterUuid))
    ORDER BY a.created_at ${order}, a.uuid ${order} LIMIT :limit`
}

export function listAlerts(sql: Sql, scope: Scope, query: AlertQuery): Page<Alert> {
  const { words, organizations, after, limit } = query
  const [direction, order] = query.sort === 'created_at' ? (['>', 'ASC'] as const) : (['<', 'DESC'] as const)
  const rows = sql.allNamed(statement(direction, order, words !== undefined && words.length > 0, organizations !== undefined), {
    scope: scopeParameter(scope),
    ...(organizations && { organizations: listParameter(organizations) }),
    providers: listParameter(query.providers),
    types: listParameter(query.types),
    statuses: listParameter(query.statuses),
    duplicateOf: query.duplicateOf ?? null,
    from: query.createdFrom ?? 0,
    to: query.createdTo ?? Number.MAX_SAFE_INTEGER,
    ...(words && words.length > 0 && { words: matchExpression(words) }),
    afterAt: after?.createdAt ?? null,
    afterUuid: after?.uuid ?? null,
    preview: query.preview,
    limit: limit + 1,
  })
  return { items: rows.slice(0, limit).map(toAlert), more: rows.length > limit }
}
