import { boundedCache } from '../caches/index.ts'
import type { Alert, AlertUuid } from '../domain/index.ts'

/** Characters of content in all alerts: 6,000 of 1 KB. Those of a flood wait here until their runs begin. */
const mostInAll = 8 * 1024 * 1024
/** Characters of content. A larger alert is read from the store. */
const mostContent = 16 * 1024
/** How much an alert counts besides its content, in characters. */
const besideContent = 256

/**
 * Alerts that this process has just stored, so that a worker in the same process need not read them back.
 * Rely only on the parts of an alert that never change. The cache is bounded: if an alert is not here, read
 * it from the store.
 */
export class RecentAlerts {
  readonly #alerts = boundedCache<AlertUuid, Alert>(mostInAll, ({ content }) => content.length + besideContent)

  /** Returns whether it remembers such an alert. */
  keeps({ type, content }: Pick<Alert, 'type' | 'content'>): boolean {
    return type !== null && content.length <= mostContent
  }

  remember(alerts: readonly Alert[]): void {
    for (const alert of alerts) if (this.keeps(alert)) this.#alerts.set(alert.uuid, alert)
  }

  /** Returns an alert and removes it from the cache. */
  take(uuid: AlertUuid): Alert | undefined {
    const alert = this.#alerts.get(uuid)
    this.#alerts.delete(uuid)
    return alert
  }
}
