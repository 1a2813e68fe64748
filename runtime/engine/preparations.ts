import { type Alert, type Clock, type Millis, type SessionId, systemScope } from '../domain/index.ts'
import type { Job } from '../queue/index.ts'
import type { Store } from '../storage/index.ts'

/** A type of an organization that was prepared so lately is prepared the same way again: with a playbook that is compiled. */
const provenFor: Millis = 1_000
/** Types that are remembered. */
const mostProven = 10_000
/** Characters of content. What templates make of more might be more than the process can bear. */
const largeContent = 16 * 1024

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

  /** Before an alert is prepared. Returns how often a process has died over that. @throws the store's error */
  async begin({ attempt, again }: Job, alert: Alert, session: SessionId): Promise<number> {
    const provenAt = this.#proven.get(keyOf(alert))
    const proven = provenAt !== undefined && this.#clock.now() - provenAt < provenFor
    if (proven && !again && alert.content.length <= largeContent) return 0
    return this.#store.alerts.prepare(systemScope, alert.uuid, { attempt, session })
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
