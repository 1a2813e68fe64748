import { LRUCache } from 'lru-cache'
import { type Alert, type ClaimAmong, type Clock, type Millis, type SessionId, systemScope } from '../../domain/index.ts'
import type { Job } from '../../queue/index.ts'
import type { Store } from '../../storage/index.ts'

/** After an alert of a type was prepared well, preparing the next ones of that organization and type counts as safe for this long. */
const provenFor: Millis = 1_000
/** How many types are remembered as safe. */
const mostProven = 10_000
/** Content with more characters never counts as safe: templates may make more of it than the process can bear. */
const largeContent = 16 * 1024

export interface Noted {
  /** How many processes have died while they prepared the alert. */
  readonly deaths: number
  /** The session that the store has noted; null: none. */
  readonly by: SessionId | null
}

/**
 * Notes in the store what this process prepares. If the process then dies before there is a run, others know why. The note costs a write, so it is
 * left out if the same type was prepared well a moment ago.
 */
export class PreparationNotes {
  readonly #store: Pick<Store, 'alerts'>
  readonly #clock: Clock
  readonly #proven = new LRUCache<string, Millis>({ max: mostProven })

  constructor(store: Pick<Store, 'alerts'>, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** Call before an alert is prepared. @throws the store's error */
  async begin({ attempt, again }: Job, alert: Alert, session: SessionId, among: ClaimAmong): Promise<Noted> {
    const provenAt = this.#proven.get(keyOf(alert))
    const proven = provenAt !== undefined && this.#clock.now() - provenAt < provenFor
    if (proven && !again && alert.content.length <= largeContent) return { deaths: 0, by: null }
    return { deaths: await this.#store.alerts.prepare(systemScope, alert.uuid, { attempt, session, among }), by: session }
  }

  /** Call when an alert is prepared and waits for its run to begin: if the process dies now, this alert is not the reason. @throws the store's error */
  async done({ uuid }: Alert, by: SessionId | null): Promise<void> {
    if (by) await this.#store.alerts.prepared(systemScope, uuid, by)
  }

  /** Call when an alert was prepared. */
  succeeded(alert: Alert): void {
    this.#proven.set(keyOf(alert), this.#clock.now())
  }
}

function keyOf({ organization, type }: Alert): string {
  return `${organization} ${type}`
}
