import { createHash } from 'node:crypto'
import { type Alert, type AlertUuid, alertPrefix, asId, type Clock, type Ids, type NewAlert, type Principal, tokensOf } from '../domain/index.ts'
import { isTocsinError, TocsinError } from '../errors/index.ts'
import type { Store } from '../storage/index.ts'
import { AlertBatcher } from './batcher.ts'
import { Directory } from './directory.ts'
import type { HandOver } from './hand-over.ts'
import { alertName } from './name.ts'
import type { RecentAlerts } from './recent-alerts.ts'
import type { Accepted, AlertSubmission, Ingest } from './types.ts'

/** What two requests of one key must have in common. */
function digestOf({ alertContent, alertProvider, organizationCode, alertType, createdAtSource }: AlertSubmission): string {
  const canonical = JSON.stringify([alertContent, alertProvider, organizationCode, alertType, createdAtSource])
  return createHash('sha256').update(canonical).digest('base64url')
}

/** Accepts alerts: looked up, named, numbered and stored together with those that arrive meanwhile, acknowledged, handed over. */
export function createIngest(store: Store, handOver: HandOver, recent: RecentAlerts, clock: Clock, ids: Ids): Ingest {
  const directory = new Directory(store, clock)
  const batcher = new AlertBatcher(store.alerts, (inserted) => {
    const fresh: Alert[] = []
    for (const { alert, fresh: isFresh } of inserted) if (isFresh) fresh.push(alert)
    recent.remember(fresh)
    handOver.handOver(fresh)
  })

  const toAlert = async (principal: Principal, submission: AlertSubmission, key: string | null): Promise<NewAlert> => {
    const { alertContent, alertProvider, organizationCode, alertType, createdAtSource } = submission
    const organization = await directory.organization(principal, organizationCode)
    const provider = await directory.provider(alertProvider)
    const name = alertName(alertContent, alertType, alertProvider)
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

  const accept = async (principal: Principal, submission: AlertSubmission, key: string | null): Promise<Accepted> => {
    const given = await toAlert(principal, submission, key)
    const { alert, fresh } = await batcher.insert(given)
    if (!fresh && alert.idempotency?.digest !== given.idempotency?.digest)
      throw new TocsinError('idempotency_key_reused', `The key was used for ${alert.alertId}, with another body.`)
    return { alert, fresh }
  }

  return {
    accept,
    acceptBatch(principal, items) {
      const one = ({ alert, idempotencyKey }: (typeof items)[number]): Promise<Accepted | TocsinError> =>
        accept(principal, alert, idempotencyKey).catch((error: unknown) => {
          if (isTocsinError(error)) return error
          throw error
        })
      return Promise.all(items.map(one))
    },
  }
}
