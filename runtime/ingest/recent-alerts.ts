import { boundedCache } from '../caches/index.ts'
import type { Alert, AlertUnderWay, AlertUuid, SentAlert } from '../domain/index.ts'
import type { InsertedAlert } from '../storage/index.ts'

/** Characters of content in all alerts: 6,000 of 1 KB. Those of a flood wait here until their runs begin. */
const mostInAll = 8 * 1024 * 1024
/** Characters of content. A larger alert is read from the store. */
const mostContent = 16 * 1024
/** How much an alert counts besides its content, in characters. */
const besideContent = 256

/**
 * Alerts that this process is storing or has just stored, so that a worker in the same process need not read them
 * back. Rely only on the parts of an alert that never change. The cache is bounded: if an alert is not here, read
 * it from the store.
 */
export class RecentAlerts {
  readonly #alerts = boundedCache<AlertUuid, Alert>(mostInAll, ({ content }) => content.length + besideContent)
  /** Not in the cache: the store does not have them yet. There are no more than the batches of inserts have. */
  readonly #underWay = new Map<AlertUuid, AlertUnderWay>()

  /** Returns whether it remembers such an alert. */
  keeps({ type, content }: Pick<Alert, 'type' | 'content'>): boolean {
    return type !== null && content.length <= mostContent
  }

  remember(alerts: readonly Alert[]): void {
    for (const alert of alerts) if (this.keeps(alert)) this.#alerts.set(alert.uuid, alert)
  }

  /**
   * Remembers alerts while they are stored, and after that.
   * @param numbered resolves with them, in the same order
   */
  expect(alerts: readonly SentAlert[], numbered: Promise<readonly InsertedAlert[]>): void {
    const inserted = numbered.catch(() => [])
    for (const [index, sent] of alerts.entries()) {
      const stored = async (): Promise<Alert | null> => {
        const one = (await inserted)[index]
        return one?.fresh ? one.alert : null
      }
      this.#underWay.set(sent.uuid, { sent, stored })
    }
    void inserted.then((found) => {
      const left = alerts.filter(({ uuid }) => this.#underWay.delete(uuid))
      const fresh = new Map(found.flatMap(({ alert, fresh: isFresh }) => (isFresh ? [[alert.uuid, alert]] : [])))
      this.remember(left.flatMap(({ uuid }) => fresh.get(uuid) ?? []))
    })
  }

  /** Returns an alert and removes it. */
  take(uuid: AlertUuid): Alert | AlertUnderWay | undefined {
    const found = this.#underWay.get(uuid) ?? this.#alerts.get(uuid)
    if (!this.#underWay.delete(uuid)) this.#alerts.delete(uuid)
    return found
  }
}
