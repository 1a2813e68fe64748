import type { SQLInputValue } from 'node:sqlite'
import { type Case, type CaseSort, foldCase, type Scope, severities, severityStep } from '../../../domain/index.ts'
import type { CaseQuery, Page } from '../../port/index.ts'
import { beginning, fromFew, listParameter, type Narrowing, narrowest, type Row, type Sql, scopeFilter, scopeParameter } from '../database/index.ts'
import { toCase } from './case-rows.ts'
import { type CaseReader, type CaseSegments, searchAll, searchInOrder } from './words/index.ts'

/** A query whose order an index has. */
type OrderedQuery = CaseQuery & { readonly sort: 'created_at' | '-created_at' | 'modified_at' | '-modified_at' }

/**
 * Returns the conditions that are part of the statement, so that SQLite can use the indexes of cases that need
 * attention, of open and closed cases, and of one severity.
 */
function indexed({ attention, statuses, severities: wanted, sort }: OrderedQuery): string {
  const noticed = attention === undefined ? '' : `AND attention = ${attention ? 1 : 0}`
  const closed = statuses?.length === 1 && statuses[0] === 'closed' ? "AND status = 'closed'" : ''
  const open = statuses && !statuses.includes('closed') ? "AND status <> 'closed'" : ''
  // The plus keeps the planner from the index of severities, whose order is that of creation.
  const column = sort.endsWith('modified_at') ? '+severity' : 'severity'
  const severity = wanted?.length === 1 ? `AND ${column} = ?4` : 'AND (?4 IS NULL OR severity IN (SELECT value FROM json_each(?4)))'
  return `${noticed} ${closed} ${open} ${severity}`
}

const whoseColumnIs = (column: string) => (parameter: string) =>
  `SELECT uuid AS key FROM cases WHERE ${column} IN (SELECT value FROM json_each(${parameter}))`

/** Returns the conditions that may leave few cases. */
function narrowings(scope: Scope, query: CaseQuery): readonly Narrowing[] {
  const { organizations, dispositions, assignees, tags, sort = '-created_at' } = query
  const found: Narrowing[] = []
  const add = (parameter: string, value: string | null, keys: Narrowing['keys']): void => {
    if (value !== null) found.push({ keys, parameter, value })
  }
  add('?1', scopeParameter(scope), whoseColumnIs('organization'))
  add('?2', listParameter(organizations), whoseColumnIs('organization'))
  add('?5', listParameter(dispositions), whoseColumnIs('disposition'))
  if (assignees?.every((name) => name !== null)) add('?6', listParameter(assignees), whoseColumnIs('assignee'))
  add('?7', listParameter(tags), (parameter) => `SELECT DISTINCT uuid AS key FROM case_tags WHERE tag IN (SELECT value FROM json_each(${parameter}))`)
  if (!sort.endsWith('created_at')) {
    if (query.statuses && !query.statuses.includes('closed')) add('?3', listParameter(query.statuses), open)
    if (query.attention === true) add('?14', limitsOf(query) ?? '[]', noticed)
  }
  if (sort.endsWith('modified_at')) {
    add('?14', limitsOf(query), createdWithin)
    if (query.severities?.length === 1)
      add('?4', query.severities[0] ?? null, (parameter) => `SELECT uuid AS key FROM cases WHERE severity = ${parameter}`)
  }
  return found
}

/** Returns the limits of time as a parameter. Null: there are none. */
function limitsOf({ createdFrom, createdTo }: CaseQuery): string | null {
  return createdFrom === undefined && createdTo === undefined ? null : JSON.stringify([createdFrom ?? 0, createdTo ?? Number.MAX_SAFE_INTEGER])
}

/** Returns whether the cases that were changed last, or first, are mostly within the limits of time. */
function beginsWithin({ sort, createdFrom, createdTo }: OrderedQuery): boolean {
  return sort === '-modified_at' ? createdTo === undefined : createdFrom === undefined
}

const open = (parameter: string): string => `SELECT uuid AS key FROM cases WHERE status <> 'closed' AND ${parameter} IS NOT ''`
const noticed = (parameter: string): string => `SELECT uuid AS key FROM cases WHERE attention = 1 AND ${parameter} IS NOT ''`
const createdWithin = (parameter: string): string =>
  `SELECT uuid AS key FROM cases WHERE created_at >= ${parameter} ->> 0 AND created_at < ${parameter} ->> 1`

/** Returns the condition that a column has one of these values. */
function among(column: string, parameter: string, values: readonly string[] | undefined, byValue: boolean): string {
  if (byValue && values?.length === 1) return `${column} = (SELECT value FROM json_each(${parameter}))`
  return `(${parameter} IS NULL OR ${column} IN (SELECT value FROM json_each(${parameter})))`
}

export function listCases(sql: Sql, index: CaseSegments, scope: Scope, query: CaseQuery): Page<Case> {
  const { sort = '-created_at' } = query
  const narrowed = narrowest(sql, narrowings(scope, query)) ?? saying(sql, index, scope, { ...query, sort })
  const bySeverity = sort === 'severity' || sort === '-severity'
  const { rows, more } = bySeverity ? readBySeverity(sql, scope, query, sort, narrowed) : readOrdered(sql, scope, { ...query, sort }, narrowed)
  return { items: rows.map(toCase), more }
}

const theseKeys = (parameter: string): string => `SELECT value AS key FROM json_each(${parameter})`
const movedKeys = (): string => 'SELECT uuid AS key FROM case_moves'

/**
 * Returns the cases that say the words of the query, as the index of words finds them: those of the page, or all of them if the order is
 * another. Null if there are no words, or so many cases that following the other order takes less time.
 */
function saying(sql: Sql, index: CaseSegments, scope: Scope, query: CaseQuery & { readonly sort: CaseSort }): Narrowing | null {
  const { words = [], sort } = query
  if (words.length === 0) return null
  const only = (uuids: readonly string[]): Narrowing => ({ keys: theseKeys, parameter: ownParameter, value: JSON.stringify(uuids) })
  if (sort !== 'created_at' && sort !== '-created_at') {
    const found = searchAll(sql, index, { scope, query })
    return found && only(found)
  }
  const keysOf = (part: CaseQuery, narrowed: Narrowing | null): readonly Row[] => {
    const [statement, ...values] = statementOf(scope, { ...query, ...part, sort }, 'cases.uuid, cases.created_at', narrowed)
    return sql.all(statement, ...values)
  }
  const read: CaseReader = {
    among: (uuids) => keysOf(query, only(uuids)),
    tail: ({ createdAt }) => keysOf({ ...query, createdFrom: Math.max(createdAt, query.createdFrom ?? 0) }, null),
    moved: () => keysOf(query, { keys: movedKeys, parameter: '', value: null }),
  }
  return only(searchInOrder(sql, index, { scope, query, read }, sort === 'created_at' ? 1 : -1))
}

interface Found {
  readonly rows: readonly Row[]
  readonly more: boolean
}

/** Reads one severity after the other, each by its index. Sorting all cases would take longer with every case. */
function readBySeverity(sql: Sql, scope: Scope, query: CaseQuery, sort: 'severity' | '-severity', narrowed: Narrowing | null): Found {
  const [direction, order] = sort === 'severity' ? ([1, 'created_at'] as const) : ([-1, '-created_at'] as const)
  const { after, limit, severities: wanted = severities } = query
  const begun = after && Math.floor(after.key / severityStep)
  const rows: Row[] = []
  for (const severity of direction === 1 ? severities : severities.toReversed()) {
    const rank = severities.indexOf(severity)
    if (!wanted.includes(severity) || (begun !== null && (rank - begun) * direction < 0)) continue
    const from = after && rank === begun ? { key: after.key - rank * severityStep, uuid: after.uuid } : null
    const part = readOrdered(sql, scope, { ...query, severities: [severity], sort: order, after: from, limit: limit - rows.length }, narrowed)
    rows.push(...part.rows)
    if (part.more) return { rows, more: true }
  }
  return { rows, more: false }
}

function readOrdered(sql: Sql, scope: Scope, query: OrderedQuery, narrowed: Narrowing | null): Found {
  const [statement, ...values] = statementOf(scope, query, 'cases.*', narrowed)
  return sql.page(query.limit, statement, ...values)
}

/** The parameter of a condition that no other part of the statement has. */
const ownParameter = '?15'

/** Returns the statement of a list with its parameters. It returns one row more than the page may have. */
function statementOf(scope: Scope, query: OrderedQuery, columns: string, narrowed: Narrowing | null): [string, ...SQLInputValue[]] {
  const { sort, after, limit, words = [], createdFrom = 0, createdTo = Number.MAX_SAFE_INTEGER, severities: wanted } = query
  const [key, beyond, direction] = [sort.replace('-', ''), ...(sort.startsWith('-') ? (['<', 'DESC'] as const) : (['>', 'ASC'] as const))]
  // The plus keeps the planner from the index of creation times, which may leave many cases to sort.
  const created = key === 'modified_at' && beginsWithin(query) ? '+created_at' : 'created_at'
  // Then an index has both the one value of a filter and the order. But the indexes of open and noticed cases leave fewer, and that of a severity may.
  const narrow = query.attention === true || (query.statuses && !query.statuses.includes('closed')) || wanted?.length === 1
  const byValue = key === 'created_at' && !narrowed && !narrow
  const assignee = byValue && query.assignees?.length === 1
  return [
    `SELECT ${columns} FROM ${fromFew('cases', 'uuid', narrowed)} WHERE ${scopeFilter('organization')} ${indexed(query)}
       AND ${among('organization', '?2', query.organizations, byValue)}
       AND (?3 IS NULL OR status IN (SELECT value FROM json_each(?3)))
       AND ${among('disposition', '?5', query.dispositions, byValue)}
       AND ${assignee ? 'assignee IS (SELECT value FROM json_each(?6))' : '(?6 IS NULL OR EXISTS (SELECT 1 FROM json_each(?6) AS one WHERE one.value IS assignee))'}
       AND (?7 IS NULL OR EXISTS (SELECT 1 FROM json_each(desk, '$.tags') AS tag WHERE tag.value IN (SELECT value FROM json_each(?7))))
       AND ${created} >= ?8 AND ${created} < ?9
       AND ${beginning(`(${key}, uuid) ${beyond} (?10, ?11)`, after)}
       AND ?14 IS NOT '' AND (?12 IS NULL OR case_says(?12, case_id, title, summary))
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
    words.length > 0 ? JSON.stringify(words.map(foldCase)) : null,
    limit + 1,
    limitsOf(query),
    ...(narrowed?.parameter === ownParameter ? [narrowed.value] : []),
  ]
}
