import { type Decision, decisionStates, type Scope } from '../../../domain/index.ts'
import type { DecisionQuery, DecisionStore, Page } from '../../port/index.ts'
import {
  beginning,
  eachOf,
  fromFew,
  listParameter,
  merged,
  type Narrowing,
  narrowest,
  type Row,
  type Sql,
  scopeFilter,
  scopeParameter,
} from '../database/index.ts'

type DeadlineQuery = Parameters<DecisionStore['byDeadline']>[1]

export function toDecision(row: Row): Decision {
  return JSON.parse(String(row['document'])) as Decision
}

/** Returns the conditions that may leave few decisions. */
function narrowings(scope: Scope, { organizations, runs, quotas }: Pick<DecisionQuery, 'organizations' | 'runs' | 'quotas'>): readonly Narrowing[] {
  const found: Narrowing[] = []
  const add = (parameter: string, value: string | null, column: string): void => {
    const keys = (values: string): string => `SELECT id AS key FROM decisions WHERE ${column} IN (SELECT value FROM json_each(${values}))`
    if (value !== null) found.push({ keys, parameter, value })
  }
  add('?1', scopeParameter(scope), 'organization')
  add('?2', listParameter(organizations), 'organization')
  add('?5', listParameter(runs), 'run')
  add('?9', listParameter(quotas), 'quota')
  return found
}

function among(column: string, parameter: string): string {
  return `(${parameter} IS NULL OR ${column} IN (SELECT value FROM json_each(${parameter})))`
}

/**
 * Returns the conditions of which a decision passes one: on its kind and its state, or on the one organization or quota that is asked for. The
 * indexes have each of them, and then the order.
 */
function apart({ kinds, states, organizations, quotas }: DecisionQuery): readonly string[] {
  const [ofKind, ofState] = [eachOf('kind', '?4', kinds?.length ?? 0), eachOf('state', '?3', states?.length ?? 0)]
  if (kinds && states) return ofKind.flatMap((kind) => ofState.map((state) => `${kind} AND ${state}`))
  if (kinds) return ofKind.flatMap((kind) => decisionStates.map((state) => `${kind} AND state = '${state}'`))
  if (states) return ofState
  if (quotas?.length === 1) return eachOf('quota', '?9', 1)
  return organizations?.length === 1 ? eachOf('organization', '?2', 1) : ['TRUE']
}

export function listDecisions(sql: Sql, scope: Scope, query: DecisionQuery): Page<Decision> {
  const { organizations, runs, quotas, after, limit } = query
  const kinds = query.kinds && [...new Set(query.kinds)]
  const states = query.states && [...new Set(query.states)]
  if (kinds?.length === 0 || states?.length === 0) return { items: [], more: false }
  const narrowed = narrowest(sql, narrowings(scope, query))
  const { rows, more } = sql.page(
    limit,
    merged(
      `document, asked_at, id FROM ${fromFew('decisions', 'id', narrowed)}`,
      narrowed ? [`${among('state', '?3')} AND ${among('kind', '?4')}`] : apart({ ...query, ...(kinds && { kinds }), ...(states && { states }) }),
      `${scopeFilter('organization')} AND ${among('organization', '?2')} AND ${among('run', '?5')} AND ${among('quota', '?9')}
        AND ${beginning('(asked_at, id) < (?6, ?7)', after)}`,
      'ORDER BY asked_at DESC, id DESC LIMIT ?8',
    ),
    scopeParameter(scope),
    listParameter(organizations),
    listParameter(states),
    listParameter(kinds),
    listParameter(runs),
    after?.askedAt ?? null,
    after?.id ?? null,
    limit + 1,
    listParameter(quotas),
  )
  return { items: rows.map(toDecision), more }
}

/** Lists open decisions. Unless a condition leaves few, the planner would take the index of states, and sort. */
export function listByDeadline(sql: Sql, scope: Scope, query: DeadlineQuery): Page<Decision> {
  const { organizations, runs, quotas, after, limit } = query
  const kinds = listParameter(query.kinds)
  const ofKinds = (parameter: string): string =>
    `SELECT id AS key FROM decisions WHERE kind IN (SELECT value FROM json_each(${parameter})) AND state = 'open'`
  const narrowed = narrowest(sql, [...narrowings(scope, query), ...(kinds === null ? [] : [{ keys: ofKinds, parameter: '?4', value: kinds }])])
  const from = narrowed ? fromFew('decisions', 'id', narrowed) : 'decisions INDEXED BY decisions_deadline'
  const { rows, more } = sql.page(
    limit,
    `SELECT document FROM ${from} WHERE state = 'open' AND ${scopeFilter('organization')}
      AND ${among('organization', '?2')} AND ${among('kind', '?4')} AND ${among('run', '?5')} AND ${among('quota', '?9')}
      AND ${beginning('(deadline, id) > (?6, ?7)', after)}
    ORDER BY deadline, id LIMIT ?8`,
    scopeParameter(scope),
    listParameter(organizations),
    null,
    kinds,
    listParameter(runs),
    after?.deadline ?? null,
    after?.id ?? null,
    limit + 1,
    listParameter(quotas),
  )
  return { items: rows.map(toDecision), more }
}
