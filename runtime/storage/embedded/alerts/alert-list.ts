import { type Alert, type AlertUuid, asId, type Scope } from '../../../domain/index.ts'
import type { AlertConditions, AlertPosition, AlertQuery, AlertTally, Page } from '../../port/index.ts'
import { listParameter, type Sql, scopeParameter } from '../database/index.ts'
import { alertColumns, alertTables, toAlert } from './alert-rows.ts'

/**
 * Returns the full-text query for these words. The index holds the words that `tokensOf` made, joined by
 * spaces. SQLite's `ascii` tokenizer splits them at nothing else, so a prefix means the same here as in the
 * domain. Words have only letters and digits, so they cannot break the quotes.
 */
function matchExpression({ words = [], contains }: AlertConditions): string {
  return [...words.map((word) => `"${word}"*`), ...(contains?.words ?? []).map((word) => `"${word}"`)].join(' AND ')
}

/** Limits by scope, organization, time and position. The indexes serve them: a page takes as long at the end of a list as at its beginning. */
function rangeOf({ organizations }: AlertConditions, after: AlertPosition | null, direction: '<' | '>'): string {
  return `(:scope IS NULL OR a.organization IN (SELECT value FROM json_each(:scope)))
      ${organizations ? 'AND a.organization IN (SELECT value FROM json_each(:organizations))' : ''}
      AND a.created_at >= :from AND a.created_at < :to
      ${after ? `AND (a.created_at, a.uuid) ${direction} (:afterAt, :afterUuid)` : ''}`
}

/**
 * Returns the other conditions. An absent one is NULL and lets every alert through, or is no part of the
 * statement if its presence changes the plan. So there are few statements, each compiled once.
 */
function conditionsOf(conditions: AlertConditions): string {
  return `(:providers IS NULL OR a.provider_folded IN (SELECT value FROM json_each(:providers)))
      AND (:types IS NULL OR a.type_key IN (SELECT value FROM json_each(:types)))
      AND (:statuses IS NULL OR s.status IN (SELECT value FROM json_each(:statuses)))
      AND (:finished IS NULL OR iif(:finished, s.status >= 15, s.status < 15 AND a.type_key IS NOT NULL))
      AND (:playbooks IS NULL OR s.investigator IN (SELECT value FROM json_each(:playbooks)))
      AND (:duplicateOf IS NULL OR s.duplicate_of = :duplicateOf)
      ${matchExpression(conditions) === '' ? '' : 'AND a.id IN (SELECT rowid FROM alert_words WHERE alert_words MATCH :words)'}
      ${conditions.case ? `AND s.case_uuid = :case AND a.id IN (${ofCase})` : ''}`
}

/** Reads the whole content, so it comes after everything else. */
function contentOf({ contains }: AlertConditions): string {
  return contains ? 'instr(lower(a.content), :contains) > 0' : '1'
}

/** The alerts of a case and their duplicates, by index. */
const ofCase = `WITH member (uuid) AS (SELECT m.value ->> '$.alertUuid' FROM cases c, json_each(c.alerts) m WHERE c.uuid = :case)
  SELECT f.id FROM member JOIN alerts f ON f.uuid = member.uuid
  UNION SELECT d.id FROM member JOIN alert_states d ON d.duplicate_of = member.uuid`

function limitsOf(scope: Scope, { organizations, createdFrom, createdTo }: AlertConditions, after: AlertPosition | null) {
  return {
    ...(after && { afterAt: after.createdAt, afterUuid: after.uuid }),
    scope: scopeParameter(scope),
    ...(organizations && { organizations: listParameter(organizations) }),
    from: createdFrom ?? 0,
    to: createdTo ?? Number.MAX_SAFE_INTEGER,
  }
}

function parametersOf(scope: Scope, conditions: AlertConditions, after: AlertPosition | null) {
  const { contains } = conditions
  const words = matchExpression(conditions)
  return {
    ...limitsOf(scope, conditions, after),
    providers: listParameter(conditions.providers),
    types: listParameter(conditions.types),
    statuses: listParameter(conditions.statuses),
    finished: conditions.finished === undefined ? null : Number(conditions.finished),
    playbooks: listParameter(conditions.playbooks),
    duplicateOf: conditions.duplicateOf ?? null,
    ...(words !== '' && { words }),
    // SQLite's `lower` folds ASCII letters only.
    ...(contains && { contains: contains.text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) }),
    ...(conditions.case && { case: conditions.case }),
  }
}

/** If words find more alerts than this, reading all of them takes longer than following the index by time to the end of a page. */
const mostLookedUp = 2_000

/** Returns whether the words or the case of a list choose few alerts. */
function chooseFew(sql: Sql, conditions: AlertConditions): boolean {
  const words = matchExpression(conditions)
  if (words === '') return conditions.case !== undefined
  const [row] = sql.all('SELECT count(*) AS found FROM (SELECT 1 FROM alert_words WHERE alert_words MATCH ? LIMIT ?)', words, mostLookedUp + 1)
  return Number(row?.['found']) <= mostLookedUp
}

/**
 * Returns the tables. With a filter by organization, the planner should use the index by organization. If a condition
 * chooses few alerts, it should look these up. Otherwise it should use the index by time.
 */
function tablesOf({ organizations }: AlertConditions, few: boolean): string {
  return few || organizations ? alertTables : alertTables.replace('alerts a', 'alerts a INDEXED BY alerts_created')
}

function statement(query: AlertQuery, few: boolean): string {
  const [direction, order] = query.sort === 'created_at' ? (['>', 'ASC'] as const) : (['<', 'DESC'] as const)
  return `SELECT ${alertColumns}, substr(a.content, 1, :preview) AS content
    FROM ${tablesOf(query, few)}
    WHERE ${rangeOf(query, query.after, direction)} AND ${conditionsOf(query)} AND ${contentOf(query)}
    ORDER BY a.created_at ${order}, a.uuid ${order} LIMIT :limit`
}

export function listAlerts(sql: Sql, scope: Scope, query: AlertQuery): Page<Alert> {
  const { after, limit } = query
  const rows = sql.allNamed(statement(query, chooseFew(sql, query)), {
    ...parametersOf(scope, query, after),
    preview: query.preview,
    limit: limit + 1,
  })
  return { items: rows.slice(0, limit).map(toAlert), more: rows.length > limit }
}

/**
 * Counts among the next alerts by time. The position of the last one is the smallest of a text that sorts as the list does. With limits
 * alone, the index has all that it needs.
 */
export function tallyAlerts(sql: Sql, scope: Scope, conditions: AlertConditions, after: AlertPosition | null, examine: number): AlertTally {
  const { organizations: _o, createdFrom: _f, createdTo: _t, ...others } = conditions
  const limitsAlone = Object.values(others).every((condition) => condition === undefined)
  const [tables, matching] = limitsAlone
    ? ['alerts a', '1']
    : [tablesOf(conditions, false), `iif(${conditionsOf(conditions)}, ${contentOf(conditions)}, 0)`]
  const [row] = sql.allNamed(
    `SELECT count(*) AS examined, total(matching) AS matching, min(printf('%016d ', created_at) || uuid) AS last FROM (
       SELECT a.created_at, a.uuid, ${matching} AS matching FROM ${tables}
       WHERE ${rangeOf(conditions, after, '<')}
       ORDER BY a.created_at DESC, a.uuid DESC LIMIT :examine)`,
    {
      ...(limitsAlone ? limitsOf : parametersOf)(scope, conditions, after),
      examine,
    },
  )
  const last = String(row?.['last'] ?? '')
  const more = Number(row?.['examined'] ?? 0) === examine
  return {
    matching: Number(row?.['matching'] ?? 0),
    next: more ? { createdAt: Number(last.slice(0, 16)), uuid: asId<AlertUuid>(last.slice(17)) } : null,
  }
}
