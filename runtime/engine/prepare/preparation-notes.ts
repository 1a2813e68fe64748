import { boundedCache } from '../../caches/index.ts'
import { type ClaimAmong, type Clock, type Millis, type SentAlert, type SessionId, systemScope } from '../../domain/index.ts'
import type { Job } from '../../queue/index.ts'
import type { Store } from '../../storage/index.ts'

/** How long after a successful preparation the next alerts of that organization and type count as safe to prepare. */
const provenFor: Millis = 1_000
/** How many types it remembers as safe. */
const mostProven = 10_000
/** Content with more characters never counts as safe, because its templates may need more memory than the process has. */
const largeContent = 16 * 1024

export interface Noted {
  /** How many processes have died while they prepared the alert. */
  readonly deaths: number
  /** The session that the store has noted. Null: none. */
  readonly by: SessionId | null
}

/**
 * Notes in the store which alert this process prepares. If the process dies before the run exists, others
 * know which alert it was. A note costs a write. So none is made if an alert of the same type was prepared a
 * moment ago.
 */
export class PreparationNotes {
  readonly #store: Pick<Store, 'alerts'>
  readonly #clock: Clock
  readonly #proven = boundedCache<string, Millis>(mostProven)

  constructor(store: Pick<Store, 'alerts'>, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** Call before an alert is prepared. @throws the store's error */
  async begin({ attempt, again }: Job, alert: SentAlert, session: SessionId, among: ClaimAmong): Promise<Noted> {
    const provenAt = this.#proven.get(keyOf(alert))
    const proven = provenAt !== undefined && this.#clock.now() - provenAt < provenFor
    if (proven && !again && alert.content.length <= largeContent) return { deaths: 0, by: null }
    return { deaths: await this.#store.alerts.prepare(systemScope, alert.uuid, { attempt, session, among }), by: session }
  }

  /**
   * Call when an alert is prepared and its run waits to begin. If the process dies now, this alert is not the
   * cause.
   * @throws the store's error
   */
  async done({ uuid }: SentAlert, by: SessionId | null): Promise<void> {
    if (by) await this.#store.alerts.prepared(systemScope, uuid, by)
  }

  /** Call when the preparation succeeded. */
  succeeded(alert: SentAlert): void {
    this.#proven.set(keyOf(alert), this.#clock.now())
  }
}

function keyOf({ organization, type }: SentAlert): string {
  return `${organization} ${type}`
}
