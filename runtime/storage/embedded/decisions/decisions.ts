import { type Decision, type DecisionId, deadlineOf, inScope, quotaSkill, type Scope } from '../../../domain/index.ts'
import type { DecisionStore } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import type { Synchronous } from '../database/index.ts'
import { type Sql, scopeFilter, scopeParameter } from '../database/index.ts'
import { announce } from '../webhooks/announce.ts'
import { listByDeadline, listDecisions, toDecision } from './decision-list.ts'

export function decisionById(sql: Sql, id: DecisionId): Decision | null {
  const row = sql.get('SELECT document FROM decisions WHERE id = ?', id)
  return row ? toDecision(row) : null
}

export const counting = "SELECT count(*) AS n FROM decisions WHERE state = 'open' AND organization = ? AND quota = ?"

/** The `DecisionStore` of the port in SQLite. */
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
    list: (scope, query) => listDecisions(sql, scope, query),
    byDeadline: (scope, query) => listByDeadline(sql, scope, query),
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
