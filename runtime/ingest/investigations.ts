import type { Clock } from '../domain/index.ts'
import { systemScope } from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import type { Store } from '../storage/index.ts'
import type { HandOver } from './hand-over.ts'
import type { Investigations } from './types.ts'

/** @param ended how to wait for an end; see `Investigations.ended` */
export function createInvestigations(store: Store, handOver: HandOver, clock: Clock, ended: Investigations['ended']): Investigations {
  return {
    ended,
    async retry(scope, uuid) {
      const [standing] = await store.alerts.get(scope, [uuid])
      if (!standing) throw new TocsinError('alert_unknown', `There is no alert ${uuid}.`)
      if (standing.type === null) throw new TocsinError('alert_not_retriable', `${standing.alertId} has no type, so it is not investigated.`)
      const result = await store.alerts.retry(systemScope, uuid, clock.now())
      if (!result?.retried)
        throw new TocsinError(
          'alert_not_retriable',
          `${standing.alertId} has status ${result?.alert.status ?? standing.status}; its investigation has not ended.`,
        )
      handOver.handOver([result.alert])
      return result.alert
    },
  }
}
