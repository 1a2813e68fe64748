import { hash } from 'node:crypto'
import { type Alert, type AlertUuid, alertPrefix, asId, type Clock, type Ids, type NewAlert, type Principal, tokensOf } from '../domain/index.ts'
import { isTocsinError, TocsinError } from '../errors/index.ts'
import type { Arrivals, Turns } from '../fairness/index.ts'
import type { InsertedAlert, Store } from '../storage/index.ts'
import { AlertBatcher } from './batcher.ts'
import { Directory } from './directory.ts'
import type { HandOver } from './hand-over.ts'
import { alertName } from './name.ts'
import type { RecentAlerts } from './recent-alerts.ts'
import type { Accepted, AlertMeter, AlertSubmission, AlertTracer, Ingest } from './types.ts'

/** Returns the digest of a submission. Two requests with the same idempotency key must have the same digest. */
function digestOf({ alertContent, alertProvider, organizationCode, alertType, createdAtSource }: AlertSubmission): string {
  const canonical = JSON.stringify([alertContent, alertProvider, organizationCode, alertType, createdAtSource])
  return hash('sha256', canonical, 'base64url')
}

/** What accepting alerts needs. */
export interface IngestDeps {
  readonly store: Store
  readonly handOver: HandOver
  readonly recent: RecentAlerts
  readonly clock: Clock
  readonly ids: Ids
  readonly turns: Turns
  /** Counts the alerts that are not durable yet. */
  readonly arrivals: Arrivals
  /** Absent: nothing is counted. */
  readonly meter?: AlertMeter
  /** Absent: nothing is traced. */
  readonly tracer?: AlertTracer
}

/**
 * Creates the part that accepts alerts: looks up organization and provider, names each alert, numbers and
 * stores it together with those that arrive meanwhile, acknowledges it, and hands it over.
 */
export function createIngest({ store, handOver, recent, clock, ids, turns, arrivals, meter, tracer }: IngestDeps): Ingest {
  const directory = new Directory(store, clock)
  const onInserted = (inserted: readonly InsertedAlert[]): void => {
    const fresh: Alert[] = []
    for (const { alert, fresh: isFresh } of inserted) if (isFresh) fresh.push(alert)
    recent.remember(fresh)
    handOver.handOver(fresh)
  }
  const batcher = new AlertBatcher(store.alerts, arrivals, onInserted, {
    // Before it is durable, an alert cannot be read from the store. So its run can begin only with what this process remembers.
    mayBe: (alert) => recent.keeps(alert),
    onSent(alerts, numbered) {
      recent.expect(alerts, numbered)
      handOver.handOverAhead(alerts)
    },
  })

  const toAlert = async (principal: Principal, submission: AlertSubmission, key: string | null): Promise<NewAlert> => {
    const { alertContent, alertProvider, organizationCode, alertType, createdAtSource } = submission
    const organization = await directory.organization(principal, organizationCode)
    const provider = await directory.provider(alertProvider)
    const name = await alertName(alertContent, alertType, alertProvider, turns, organization.id)
    return {
      uuid: asId<AlertUuid>(ids.uuid()),
      organization: organization.id,
      organizationCode: organization.code,
      provider: alertProvider,
      numberedAs: alertPrefix(organization.code, provider.code),
      type: alertType,
      content: alertContent,
      name,
      tokens: tokensOf(name, alertType ?? '', alertProvider, alertContent),
      createdAt: clock.now(),
      createdAtSource,
      createdBy: principal.id,
      idempotency: key === null ? null : { key, digest: digestOf(submission) },
    }
  }

  const insert = async (given: NewAlert, traceparent: string | null): Promise<Accepted> => {
    const { alert, fresh } = await batcher.insert(given)
    if (!fresh && alert.idempotency?.digest !== given.idempotency?.digest)
      throw new TocsinError('idempotency_key_reused', `The key was used for ${alert.alertId}, with another body.`)
    meter?.accepted(fresh)
    if (fresh) tracer?.received(alert, traceparent)
    return { alert, fresh }
  }

  return {
    async accept(principal, submission, key, traceparent) {
      return insert(await toAlert(principal, submission, key), traceparent)
    },
    async acceptBatch(principal, items, traceparent) {
      const orError = (error: unknown): TocsinError => {
        if (isTocsinError(error)) return error
        throw error
      }
      const read: (NewAlert | TocsinError)[] = []
      for (const { alert, idempotencyKey } of items) {
        read.push(await toAlert(principal, alert, idempotencyKey).catch(orError))
        const turn = turns.next(principal.id)
        if (turn) await turn
      }
      return Promise.all(read.map((given) => (isTocsinError(given) ? given : insert(given, traceparent).catch(orError))))
    },
  }
}
