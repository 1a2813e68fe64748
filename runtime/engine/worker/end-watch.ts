import { type Alert, AlertStatus, type AlertUuid, asId, type Clock, type Millis, systemScope } from '../../domain/index.ts'
import type { NamedHints } from '../../hints/index.ts'
import type { Store } from '../../storage/index.ts'

/** How often it looks up all awaited alerts. Another process may end their runs, and its hint may be lost. */
const lookEvery: Millis = 250

/** Tells callers that wait (`Prefer: wait`) that an alert's investigation has ended. */
export class EndWatch {
  readonly #store: Store
  readonly #clock: Clock
  readonly #waiting = new Map<AlertUuid, Set<(alert: Alert | null) => void>>()
  readonly #ends: NamedHints
  #stop: (() => void) | null = null
  #looking = false

  /** @param ends tells the other processes which alerts' investigations end here, and this one which end there */
  constructor(store: Store, clock: Clock, ends: NamedHints) {
    this.#store = store
    this.#clock = clock
    this.#ends = ends
  }

  /**
   * Resolves with the alert when its investigation has ended, or if there is none. Null: the signal has aborted.
   * @param isNew whether the caller has just stored the alert, so that it can hardly have ended yet. Then nothing is read
   * at once
   */
  ended(alert: AlertUuid, signal: AbortSignal, isNew = false): Promise<Alert | null> {
    return new Promise((resolve) => {
      const giveUp = (): void => done(null)
      const done = (ended: Alert | null): void => {
        signal.removeEventListener('abort', giveUp)
        const others = this.#waiting.get(alert)
        others?.delete(done)
        if (others?.size === 0) this.#waiting.delete(alert)
        if (this.#waiting.size === 0) this.#rest()
        resolve(ended)
      }
      if (signal.aborted) return resolve(null)
      signal.addEventListener('abort', giveUp)
      const standing = this.#waiting.get(alert)
      if (standing) standing.add(done)
      else this.#waiting.set(alert, new Set([done]))
      this.#stop ??= this.#watch()
      // It may have ended since the caller last looked.
      if (!isNew) void this.#lookAt([alert])
    })
  }

  /**
   * Call when this process has ended the alert's investigation.
   * @param ended the alert after that; null: it must be read
   */
  notify(alert: AlertUuid, ended: Alert | null): void {
    if (ended) this.#end(ended)
    else if (this.#waiting.has(alert)) void this.#lookAt([alert])
    this.#ends.tell(alert)
  }

  /** Begins to look and to listen. Returns a function that ends both. */
  #watch(): () => void {
    const stopLooking = this.#clock.every(lookEvery, () => void this.#look())
    const stopListening = this.#ends.listen({
      // The hint may be about an earlier attempt, so the store decides.
      named: (names) => {
        const awaited = names.map((name) => asId<AlertUuid>(name)).filter((alert) => this.#waiting.has(alert))
        if (awaited.length > 0) void this.#lookAt(awaited)
      },
      missed: () => void this.#look(),
    })
    return () => {
      stopLooking()
      stopListening()
    }
  }

  #end(alert: Alert): void {
    for (const done of [...(this.#waiting.get(alert.uuid) ?? [])]) done(alert)
  }

  async #look(): Promise<void> {
    if (this.#looking) return
    this.#looking = true
    try {
      await this.#lookAt([...this.#waiting.keys()])
    } finally {
      this.#looking = false
    }
  }

  async #lookAt(uuids: readonly AlertUuid[]): Promise<void> {
    // If the store does not answer, the callers' own reads report it. Here the next look is enough.
    const alerts = await this.#store.alerts.get(systemScope, uuids).catch(() => [])
    for (const alert of alerts) if (alert.status >= AlertStatus.completed || alert.type === null) this.#end(alert)
  }

  #rest(): void {
    this.#stop?.()
    this.#stop = null
  }
}
