import type { Filter, Sort } from 'mongodb'
import type { Case, CaseUuid, DecisionId, Fact, RunId, Scope } from '../../../domain/index.ts'
import type { OutboxStore } from '../../port/index.ts'
import { type CaseDocument, caseFields, toCase } from '../cases/case-documents.ts'
import type { Collections } from '../database/index.ts'
import { sortedInMemory, within } from '../database/index.ts'
import { toDecision } from '../decisions/decisions.ts'
import { toRun } from '../runs/run-documents.ts'

/**
 * The mark of a fact is in the document that the fact is about. Each collection has an index that holds only
 * marked documents.
 */
export function outboxStore({ cases, runs, decisions }: Collections): OutboxStore {
  const casesOf = (filter: Filter<CaseDocument>): Promise<CaseDocument[]> => cases.find(filter, { projection: { ...caseFields, alert: 1 } }).toArray()

  const openedCases = async (scope: Scope, limit: number): Promise<Fact[]> => {
    const found = await sortedInMemory((allowDiskUse) =>
      cases.find({ told: false, ...within(scope) }, { projection: caseFields, sort: { createdAt: 1 }, limit, allowDiskUse }).toArray(),
    )
    return found.map((document) => ({ type: 'case.opened', case: toCase(document) }))
  }

  const failedRuns = async (scope: Scope, limit: number): Promise<Fact[]> => {
    const found = await sortedInMemory((allowDiskUse) =>
      runs.find({ told: false, ...within(scope) }, { sort: { endedAt: 1 }, limit, allowDiskUse }).toArray(),
    )
    if (found.length === 0) return []
    const theirs = await casesOf({ alert: { $in: found.map(({ alert }) => alert) } })
    const byAlert = new Map(theirs.flatMap((document) => [document.alert].flat().map((alert) => [alert, document] as const)))
    return found.flatMap((document): Fact[] => {
      const its = byAlert.get(document.alert)
      // A run has a case before it ends.
      return its ? [{ type: 'run.failed', run: toRun(document, { uuid: its._id, caseId: its.caseId }), case: toCase(its) }] : []
    })
  }

  const heardDecisions = async (scope: Scope, type: 'decision.opened' | 'decision.closed', limit: number): Promise<Fact[]> => {
    const opened = type === 'decision.opened'
    const marked = opened ? { openedTold: false as const } : { closedTold: false as const }
    const sort: Sort = opened ? { askedAt: 1 } : { closedAt: 1 }
    const found = await sortedInMemory((allowDiskUse) => decisions.find({ ...marked, ...within(scope) }, { sort, limit, allowDiskUse }).toArray())
    if (found.length === 0) return []
    const all = found.map(toDecision)
    const theirs = await casesOf({ _id: { $in: all.map((decision) => decision.case) } })
    const byUuid = new Map<CaseUuid, Case>(theirs.map((document) => [document._id, toCase(document)]))
    return all.map((decision) => ({ type, decision, case: byUuid.get(decision.case) ?? null }))
  }

  return {
    async pending(scope, limit) {
      const found = await Promise.all([
        openedCases(scope, limit),
        heardDecisions(scope, 'decision.opened', limit),
        heardDecisions(scope, 'decision.closed', limit),
        failedRuns(scope, limit),
      ])
      return found.flat()
    },
    async clear(scope, facts) {
      const subjects = <T>(type: Fact['type']): T[] => facts.flatMap((fact) => (fact.type === type ? [fact.subject as T] : []))
      const [opened, failed] = [subjects<CaseUuid>('case.opened'), subjects<RunId>('run.failed')]
      const [asked, closed] = [subjects<DecisionId>('decision.opened'), subjects<DecisionId>('decision.closed')]
      await Promise.all([
        opened.length > 0 && cases.updateMany({ _id: { $in: opened }, ...within(scope) }, { $unset: { told: '' } }),
        failed.length > 0 && runs.updateMany({ _id: { $in: failed }, ...within(scope) }, { $unset: { told: '' } }),
        asked.length > 0 && decisions.updateMany({ _id: { $in: asked }, ...within(scope) }, { $unset: { openedTold: '' } }),
        closed.length > 0 && decisions.updateMany({ _id: { $in: closed }, ...within(scope) }, { $unset: { closedTold: '' } }),
      ])
    },
  }
}
