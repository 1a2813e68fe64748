import { type Decision, type DecisionId, inScope, type Scope } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { DecisionStore } from '../port.ts'
import { type Row, type Sql, scopeFilter, scopeParameter } from './sql.ts'
import type { Synchronous } from './synchronous.ts'

function toDecision(row: Row): Decision {
  return JSON.parse(String(row['document'])) as Decision
}

function list(values: readonly string[] | undefined): string | null {
  return values ? JSON.stringify(values) : null
}

export function decisionTable(sql: Sql): Synchronous<DecisionStore> {
  const one = (scope: Scope, id: DecisionId): Decision | null => {
    const row = sql.get('SELECT document FROM decisions WHERE id = ?', id)
    const found = row ? toDecision(row) : null
    return found && inScope(scope, found.organization) ? found : null
  }

  return {
    open(scope, decision) {
      const { id, organization, run, kind, state, askedAt, revision } = decision
      if (!inScope(scope, organization)) throw new TocsinError('organization_forbidden', 'The decision belongs to an organization out of reach.')
      sql.run(
        `INSERT INTO decisions (id, organization, run, kind, state, asked_at, revision, untold, document) VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)
         ON CONFLICT DO NOTHING`,
        id,
        organization,
        run,
        kind,
        state,
        askedAt,
        revision,
        JSON.stringify(decision),
      )
      return one(scope, id) ?? decision
    },
    get: one,
    list(scope, { organizations, states, kinds, runs, after, limit }) {
      const rows = sql.all(
        `SELECT document FROM decisions WHERE ${scopeFilter('organization')}
           AND (?2 IS NULL OR organization IN (SELECT value FROM json_each(?2)))
           AND (?3 IS NULL OR state IN (SELECT value FROM json_each(?3)))
           AND (?4 IS NULL OR kind IN (SELECT value FROM json_each(?4)))
           AND (?5 IS NULL OR run IN (SELECT value FROM json_each(?5)))
           AND (?6 IS NULL OR (asked_at, id) < (?6, ?7))
         ORDER BY asked_at DESC, id DESC LIMIT ?8`,
        scopeParameter(scope),
        list(organizations),
        list(states),
        list(kinds),
        list(runs),
        after?.askedAt ?? null,
        after?.id ?? null,
        limit + 1,
      )
      return { items: rows.slice(0, limit).map(toDecision), more: rows.length > limit }
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
      return changed > 0 ? 'revised' : 'changed'
    },
    untold(scope, limit) {
      return sql
        .all(`SELECT document FROM decisions WHERE untold = 1 AND ${scopeFilter('organization')} ORDER BY id LIMIT ?2`, scopeParameter(scope), limit)
        .map(toDecision)
    },
    told(scope, id) {
      if (one(scope, id)) sql.run('UPDATE decisions SET untold = 0 WHERE id = ?', id)
    },
  }
}
