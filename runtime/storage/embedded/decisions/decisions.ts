import { type Decision, type DecisionId, deadlineOf, inScope, quotaSkill, type Scope } from '../../../domain/index.ts'
import type { DecisionQuery, DecisionStore } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import type { Synchronous } from '../database/index.ts'
import { beginning, listParameter, type Row, type Sql, scopeFilter, scopeParameter } from '../database/index.ts'
import { announce } from '../webhooks/announce.ts'

function toDecision(row: Row): Decision {
  return JSON.parse(String(row['document'])) as Decision
}

export function decisionById(sql: Sql, id: DecisionId): Decision | null {
  const row = sql.get('SELECT document FROM decisions WHERE id = ?', id)
  return row ? toDecision(row) : null
}

/**
 * Returns the statement for a list. The usual lists (open decisions, decisions of one run) each have an
 * index. The planner cannot use it through `IS NULL OR`, so those two conditions are written out. A list with
 * several states is read by time.
 */
export function listing({ states, runs, after }: Pick<DecisionQuery, 'states' | 'runs' | 'after'>): string {
  const run = runs ? 'run IN (SELECT value FROM json_each(?5))' : '?5 IS NULL'
  // The plus keeps the planner from the index of states. A run has few decisions, so the index of runs is better.
  const one = runs ? '+state = ?3' : 'state = ?3'
  const state = states?.length === 1 ? one : '(?3 IS NULL OR state IN (SELECT value FROM json_each(?3)))'
  return `SELECT document FROM decisions WHERE ${scopeFilter('organization')}
      AND (?2 IS NULL OR organization IN (SELECT value FROM json_each(?2)))
      AND ${state} AND ${run}
      AND (?4 IS NULL OR kind IN (SELECT value FROM json_each(?4)))
      AND (?9 IS NULL OR quota IN (SELECT value FROM json_each(?9)))
      AND ${beginning('(asked_at, id) < (?6, ?7)', after)}
    ORDER BY asked_at DESC, id DESC LIMIT ?8`
}

/** The statement for open decisions by deadline. The planner would take the index of states, and sort. */
export const listingByDeadline = (
  after: unknown,
): string => `SELECT document FROM decisions INDEXED BY decisions_deadline WHERE state = 'open' AND ${scopeFilter('organization')}
      AND (?2 IS NULL OR organization IN (SELECT value FROM json_each(?2)))
      AND (?3 IS NULL OR kind IN (SELECT value FROM json_each(?3)))
      AND (?4 IS NULL OR +run IN (SELECT value FROM json_each(?4)))
      AND (?5 IS NULL OR quota IN (SELECT value FROM json_each(?5)))
      AND ${beginning('(deadline, id) > (?6, ?7)', after)}
    ORDER BY deadline, id LIMIT ?8`

export const counting = "SELECT count(*) AS n FROM decisions WHERE state = 'open' AND organization = ? AND quota = ?"

export function decisionTable(sql: Sql): Synchronous<DecisionStore> {
  const one = (scope: Scope, id: DecisionId): Decision | null => {
    const found = decisionById(sql, id)
    return found && inScope(scope, found.organization) ? found : null
  }

  return {
    open(scope, decision) {
      const { id, organization, run, kind, state, askedAt, revision } = decision
      mustReach(inScope(scope, organization), 'decision')
      const opened = sql.run(
        `INSERT INTO decisions (id, organization, run, kind, state, asked_at, deadline, revision, untold, quota, document)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)
         ON CONFLICT DO NOTHING`,
        id,
        organization,
        run,
        kind,
        state,
        askedAt,
        deadlineOf(decision),
        revision,
        quotaSkill(decision),
        JSON.stringify(decision),
      )
      if (opened > 0) announce(sql, { type: 'decision.opened', subject: id }, organization, askedAt)
      return one(scope, id) ?? decision
    },
    get: one,
    list(scope, query) {
      const { organizations, states, kinds, runs, quotas, after, limit } = query
      const { rows, more } = sql.page(
        limit,
        listing(query),
        scopeParameter(scope),
        listParameter(organizations),
        states?.length === 1 ? (states[0] ?? null) : listParameter(states),
        listParameter(kinds),
        listParameter(runs),
        after?.askedAt ?? null,
        after?.id ?? null,
        limit + 1,
        listParameter(quotas),
      )
      return { items: rows.map(toDecision), more }
    },
    byDeadline(scope, { organizations, kinds, runs, quotas, after, limit }) {
      const { rows, more } = sql.page(
        limit,
        listingByDeadline(after),
        scopeParameter(scope),
        listParameter(organizations),
        listParameter(kinds),
        listParameter(runs),
        listParameter(quotas),
        after?.deadline ?? null,
        after?.id ?? null,
        limit + 1,
      )
      return { items: rows.map(toDecision), more }
    },
    revise(scope, next) {
      if (!one(scope, next.id)) return 'changed'
      const changed = sql.run(
        'UPDATE decisions SET state = ?, revision = ?, untold = ?, document = ? WHERE id = ? AND revision = ?',
        next.state,
        next.revision,
        next.state === 'open' ? 0 : 1,
        JSON.stringify(next),
        next.id,
        next.revision - 1,
      )
      if (changed === 0) return 'changed'
      if (next.state !== 'open') announce(sql, { type: 'decision.closed', subject: next.id }, next.organization, next.closedAt ?? next.askedAt)
      return 'revised'
    },
    untold(scope, limit) {
      return sql
        .all(`SELECT document FROM decisions WHERE untold = 1 AND ${scopeFilter('organization')} ORDER BY id LIMIT ?2`, scopeParameter(scope), limit)
        .map(toDecision)
    },
    told(scope, id) {
      if (one(scope, id)) sql.run('UPDATE decisions SET untold = 0 WHERE id = ?', id)
    },
    waiting(scope, organization, skill) {
      if (!inScope(scope, organization)) return 0
      const row = sql.get(counting, organization, skill)
      return Number(row?.['n'] ?? 0)
    },
    left(scope, limit) {
      const rows = sql.all(
        `SELECT d.document FROM decisions d JOIN runs r ON r.id = d.run
         WHERE d.state = 'open' AND r.state IN ('completed', 'failed') AND ${scopeFilter('d.organization')} LIMIT ?2`,
        scopeParameter(scope),
        limit,
      )
      return rows.map(toDecision)
    },
  }
}
