import {
  type Alert,
  type AlertUuid,
  type Clock,
  type Millis,
  type Principal,
  runId,
  scopeOf,
  systemScope,
  type TimelineEntry,
  TriedWrites,
} from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import type { Store } from '../storage/index.ts'
import type { HandOver } from './hand-over.ts'
import type { EarlierWrite, Investigations } from './types.ts'

/** How often one alert may be investigated. Each time leaves a run that is kept forever and shown with the alert. */
const mostAttempts = 100

/** @param watch tells of the ends of investigations */
export function createInvestigations(store: Store, handOver: HandOver, clock: Clock, watch: Pick<Investigations, 'ended' | 'shown'>): Investigations {
  return {
    ended: (alert, signal, isNew) => watch.ended(alert, signal, isNew),
    shown: (alert) => watch.shown(alert),
    earlierWrites: (uuid) => writesBefore(store, uuid, mostAttempts),
    async retry(principal, uuid) {
      const [standing] = await store.alerts.get(scopeOf(principal), [uuid])
      if (!standing) throw new TocsinError('alert_unknown', `There is no alert ${uuid}.`)
      if (standing.type === null) throw new TocsinError('alert_not_retriable', `${standing.alertId} has no type, so it is not investigated.`)
      if (standing.retryCount + 1 >= mostAttempts)
        throw new TocsinError(
          'alert_not_retriable',
          `${standing.alertId} was investigated ${mostAttempts} times, which is the most for one alert.`,
          [],
          {
            remedy: 'Post the alert again.',
          },
        )
      const at = clock.now()
      const result = await store.alerts.retry(systemScope, uuid, at)
      if (!result?.retried)
        throw new TocsinError(
          'alert_not_retriable',
          `${standing.alertId} has status ${result?.alert.status ?? standing.status}; its investigation has not ended.`,
        )
      const { alert } = result
      handOver.handOver([alert])
      const earlierWrites = await writesBefore(store, alert.uuid, alert.retryCount)
      if (alert.case !== null) await store.cases.record(systemScope, alert.case, null, retryEntry(principal, alert, earlierWrites, at))
      return { alert, earlierWrites }
    },
  }
}

/** Returns what the first attempts have changed outside, in order of the attempts. */
async function writesBefore({ runs, journal }: Store, uuid: AlertUuid, attempts: number): Promise<readonly EarlierWrite[]> {
  const earlier = (await runs.ofAlert(systemScope, uuid)).filter(({ attempt }) => attempt <= attempts)
  const writes = earlier.map(async ({ id }) => {
    const records = (await journal.read(systemScope, id)).flatMap((entry) => entry.records)
    return new TriedWrites(records).sent.map((write) => ({ ...write, run: id }))
  })
  return (await Promise.all(writes)).flat()
}

function retryEntry({ id, name }: Principal, { uuid, retryCount }: Alert, writes: readonly EarlierWrite[], at: Millis): TimelineEntry {
  const steps = [...new Set(writes.map(({ address }) => address))].join(', ')
  const warning = steps === '' ? '' : ` Earlier attempts have made changes that may be repeated: ${steps}.`
  return {
    key: `${runId(uuid, retryCount + 1)}#asked`,
    at,
    actor: { principal: id },
    body: { kind: 'retry', due: at, text: `${name} asked for another investigation.${warning}` },
  }
}
