import { type Alert, type AlertUuid, asId, type Scope } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import type { Store } from '../../../storage/index.ts'
import { isUuid } from '../../request/index.ts'

/** @throws TocsinError `alert_unknown`, also for an alert outside the caller's scope */
export async function alertOf(store: Store, scope: Scope, id: string): Promise<Alert> {
  if (isUuid(id)) {
    const [alert] = await store.alerts.get(scope, [asId<AlertUuid>(id.toLowerCase())])
    if (alert !== undefined) return alert
  }
  const alert = await store.alerts.byAlertId(scope, id)
  if (alert === null) throw new TocsinError('alert_unknown', 'No alert that this key may see has this alert_id or alert_uuid.')
  return alert
}
