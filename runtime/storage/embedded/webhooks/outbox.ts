import { type CaseUuid, type DecisionId, eventId, type Fact, type FactName, type RunId } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import type { OutboxStore } from '../../port/index.ts'
import { caseByUuid } from '../cases/cases.ts'
import type { Synchronous } from '../database/index.ts'
import { type Sql, scopeFilter, scopeParameter } from '../database/index.ts'
import { decisionById } from '../decisions/decisions.ts'
import { readRun } from '../runs/run-rows.ts'

function factOf(sql: Sql, { type, subject }: FactName): Fact {
  const lost = (): never => {
    throw new TocsinError('internal', `The subject of the fact ${type} ${subject} is gone.`)
  }
  if (type === 'case.opened') return { type, case: caseByUuid(sql, subject as CaseUuid) ?? lost() }
  if (type === 'run.failed') {
    const run = readRun(sql, subject as RunId) ?? lost()
    return { type, run, case: caseByUuid(sql, run.case) }
  }
  const decision = decisionById(sql, subject as DecisionId) ?? lost()
  return { type, decision, case: caseByUuid(sql, decision.case) }
}

/** The `OutboxStore` of the port in SQLite. */
export function outboxTable(sql: Sql): Synchronous<OutboxStore> {
  return {
    pending(scope, limit) {
      const rows = sql.all(
        `SELECT type, subject FROM (SELECT *, row_number() OVER (PARTITION BY type ORDER BY at, event) AS place FROM outbox
         WHERE ${scopeFilter('organization')}) WHERE place <= ?2 ORDER BY at, event`,
        scopeParameter(scope),
        limit,
      )
      return rows.map((row) => factOf(sql, { type: row['type'], subject: row['subject'] } as FactName))
    },
    clear(scope, facts) {
      sql.run(
        `DELETE FROM outbox WHERE ${scopeFilter('organization')} AND event IN (SELECT value FROM json_each(?2))`,
        scopeParameter(scope),
        JSON.stringify(facts.map(eventId)),
      )
    },
  }
}
