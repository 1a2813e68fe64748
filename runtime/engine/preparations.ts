import { type Alert, type ClaimAmong, type Clock, type Millis, type SessionId, systemScope } from '../domain/index.ts'
import type { Job } from '../queue/index.ts'
import type { Store } from '../storage/index.ts'

/** A type of an organization that was prepared so lately is prepared the same way again: with a playbook that is compiled. */
const provenFor: Millis = 1_000
/** Types that are remembered. */
const mostProven = 10_000
/** Characters of content. What templates make of more might be more than the process can bear. */
const largeContent = 16 * 1024

/** What is known of the preparation of an alert. */
export interface Noted {
  /** How often a process has died over it. */
  readonly deaths: number
  /** The session that the store has it noted for; null: none. */
  readonly by: SessionId | null
}

/**
 * Notes in the store what this process prepares, so that it is known afterwards what a process died of that died before there was a run. That
 * costs a write, and is left out where it went well a moment ago and nobody has died.
 */
export class Preparations {
  readonly #store: Pick<Store, 'alerts'>
  readonly #clock: Clock
  readonly #proven = new Map<string, Millis>()

  constructor(store: Pick<Store, 'alerts'>, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** Before an alert is prepared. @throws the store's error */
  async begin({ attempt, again }: Job, alert: Alert, session: SessionId, among: ClaimAmong): Promise<Noted> {
    const provenAt = this.#proven.get(keyOf(alert))
    const proven = provenAt !== undefined && this.#clock.now() - provenAt < provenFor
    if (proven && !again && alert.content.length <= largeContent) return { deaths: 0, by: null }
    return { deaths: await this.#store.alerts.prepare(systemScope, alert.uuid, { attempt, session, among }), by: session }
  }

  /** It is prepared, and waits before its run begins: a process that dies now did not die over it. @throws the store's error */
  async waits({ uuid }: Alert, by: SessionId | null): Promise<void> {
    if (by) await this.#store.alerts.prepared(systemScope, uuid, by)
  }

  /** It went well. */
  succeeded(alert: Alert): void {
    const key = keyOf(alert)
    this.#proven.delete(key)
    this.#proven.set(key, this.#clock.now())
    if (this.#proven.size > mostProven) this.#proven.delete(this.#proven.keys().next().value!)
  }
}

function keyOf({ organization, type }: Alert): string {
  return `${organization} ${type}`
}
