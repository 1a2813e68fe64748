import type { Clock, Ids } from '../../domain/index.ts'
import { LaneLoads } from '../../fairness/index.ts'
import type { Store } from '../port/index.ts'
import { actStore, organizationStore, principalStore, providerStore, settingStore } from './access/index.ts'
import { agentStore } from './agents/index.ts'
import { alertStore, LateWords, Sealing } from './alerts/index.ts'
import { CaseSealing, caseStore } from './cases/index.ts'
import { type BulkLimits, BulkTurns, translated } from './client/index.ts'
import { connectionStore, tokenStore } from './connections/index.ts'
import { type Collections, type MongoNotice, WorkReport } from './database/index.ts'
import { decisionStore } from './decisions/index.ts'
import { fetchStore } from './fetches/index.ts'
import { pauseStore, policyStore, quotaStore } from './guards/index.ts'
import { journalStore } from './journal/index.ts'
import { artifactStore } from './playbooks/index.ts'
import { runEnder, runStore, runTools, sessionStore } from './runs/index.ts'
import { statisticsStore } from './statistics/index.ts'
import { Audience, deliveryStore, outboxStore, webhookStore } from './webhooks/index.ts'

/**
 * How many bulks of runs are under way at once. With more of them, bulks are smaller, so the server has more commands
 * for the same work. With fewer, it is idle while it waits for its disk.
 */
const bulksOfRuns: BulkLimits = { busy: 3, quiet: 6 }
/** Alerts are inserted in large bulks already. The second one is for light lanes beside a flood. */
const bulksOfAlerts: BulkLimits = { busy: 1, quiet: 2 }

export interface Assembled {
  readonly aggregates: Omit<Store, 'ping' | 'close'>
  /** Resolves when the work is done that no caller waits for. No method may be called any more. */
  close(): Promise<void>
}

const wordsOfLateAlerts = {
  fails: 'The words of alerts that MongoDB stored late could not be written, so searches for words may miss these alerts. Tocsin tries again.',
  succeeds: 'The words of alerts that MongoDB stored late are written now.',
}

const segmentsOfWords = {
  fails: 'The index of words could not be continued, so searches for words take longer with every new alert. Tocsin tries again.',
  succeeds: 'The index of words is continued again.',
}

const segmentsOfCases = {
  fails: 'The index of cases could not be continued, so searches for cases take longer with every new case. Tocsin tries again.',
  succeeds: 'The index of cases is continued again.',
}

/**
 * Assembles the aggregates. The collections must exist.
 * @param report receives what an operator should know about work that no caller waits for
 */
export function assemble(collections: Collections, clock: Clock, ids: Ids, report: (notice: MongoNotice) => void = () => {}): Assembled {
  const lanes = new LaneLoads()
  const turns = new BulkTurns(bulksOfRuns, clock, lanes)
  const audience = new Audience(collections, clock)
  const tools = runTools(collections, turns, clock, audience)
  const ender = runEnder(tools, turns, clock)
  const late = new LateWords(collections, clock, ids, new WorkReport(report, wordsOfLateAlerts))
  const sealings = [
    new Sealing(collections, clock, ids, new WorkReport(report, segmentsOfWords)),
    new CaseSealing(collections, clock, ids, new WorkReport(report, segmentsOfCases)),
  ]
  const seal = (): void => {
    for (const sealing of sealings) sealing.start()
  }
  const told = <T extends object>(aggregate: T): T => translated(clock, aggregate)
  return {
    aggregates: {
      organizations: told(organizationStore(collections)),
      policies: told(policyStore(collections)),
      quotas: told(quotaStore(collections)),
      providers: told(providerStore(collections)),
      principals: told(principalStore(collections)),
      acts: told(actStore(collections)),
      agents: told(agentStore(collections)),
      connections: told(connectionStore(collections)),
      tokens: told(tokenStore(collections)),
      artifacts: told(artifactStore(collections)),
      alerts: told(alertStore({ collections, turns, insertTurns: new BulkTurns(bulksOfAlerts, clock, lanes), clock, ids, late, seal })),
      sessions: told(sessionStore(collections)),
      runs: told(runStore(tools, ender.end)),
      journal: told(journalStore(collections, tools.insertJournal, () => ids.uuid())),
      cases: told(caseStore(collections, tools.recordCase)),
      decisions: told(decisionStore(collections, audience)),
      pauses: told(pauseStore(collections, turns)),
      settings: told(settingStore(collections)),
      fetches: told(fetchStore(collections)),
      webhooks: told(webhookStore(collections, audience)),
      outbox: told(outboxStore(collections)),
      deliveries: told(deliveryStore(collections)),
      statistics: told(statisticsStore(collections)),
    },
    close: async () => {
      await Promise.all([ender.close(), ...sealings.map((sealing) => sealing.stop()), late.close()])
    },
  }
}
