import { AlertStatus, type AlertUuid, type Clock, type Millis, systemScope } from '../../domain/index.ts'
import type { Store } from '../../storage/index.ts'

/** How often it looks up all awaited alerts. Another process may end their runs. */
const lookEvery: Millis = 250

/** Tells callers that wait (`Prefer: wait`) that an alert's investigation has ended. */
export class EndWatch {
  readonly #store: Store
  readonly #clock: Clock
  readonly #waiting = new Map<AlertUuid, Set<() => void>>()
  #stop: (() => void) | null = null
  #looking = false

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** Resolves when the investigation has ended, when there is none, or when the signal aborts. */
  ended(alert: AlertUuid, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        signal.removeEventListener('abort', done)
        const others = this.#waiting.get(alert)
        others?.delete(done)
        if (others?.size === 0) this.#waiting.delete(alert)
        if (this.#waiting.size === 0) this.#rest()
        resolve()
      }
      if (signal.aborted) return resolve()
      signal.addEventListener('abort', done)
      const standing = this.#waiting.get(alert)
      if (standing) standing.add(done)
      else this.#waiting.set(alert, new Set([done]))
      this.#stop ??= this.#clock.every(lookEvery, () => void this.#look())
      // It may have ended since the caller last looked.
      void this.#lookAt([alert])
    })
  }

  /** Call when this process has ended the alert's run. */
  notify(alert: AlertUuid): void {
    for (const done of [...(this.#waiting.get(alert) ?? [])]) done()
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
    for (const { uuid, status, type } of alerts) if (status >= AlertStatus.completed || type === null) this.notify(uuid)
  }

  #rest(): void {
    this.#stop?.()
    this.#stop = null
  }
}
