import { type Alert, AlertStatus, type AlertUuid, type Clock, type Millis, systemScope } from '../../domain/index.ts'
import type { NamedHints } from '../../hints/index.ts'
import type { Store } from '../../storage/index.ts'
import { alertOfLine, endLine, factsOfLine, type Prove } from './told-ends.ts'

/** How often it looks up all awaited alerts. Another process may end their runs, and its hint may be lost. */
const lookEvery: Millis = 250

interface Waiting {
  readonly alert: Alert
  readonly done: (ended: Alert | null) => void
}

/** Tells callers that wait (`Prefer: wait`) that an alert's investigation has ended. */
export class EndWatch {
  readonly #store: Store
  readonly #clock: Clock
  readonly #waiting = new Map<AlertUuid, Set<Waiting>>()
  readonly #ends: NamedHints
  readonly #prove: Prove
  #stop: (() => void) | null = null
  #looking = false

  /**
   * @param ends tells the other processes which alerts' investigations end here, and this one which end there
   * @param prove the same in all processes of this installation, and secret
   */
  constructor(store: Store, clock: Clock, ends: NamedHints, prove: Prove) {
    this.#store = store
    this.#clock = clock
    this.#ends = ends
    this.#prove = prove
  }

  /**
   * Resolves with the alert when its investigation has ended, or if there is none. Null: the signal has aborted.
   * @param alert as the caller knows it
   * @param isNew whether the caller has just stored the alert, so that it can hardly have ended yet. Then nothing is read
   * at once
   */
  ended(alert: Alert, signal: AbortSignal, isNew = false): Promise<Alert | null> {
    const { uuid } = alert
    return new Promise((resolve) => {
      const giveUp = (): void => done(null)
      const done = (ended: Alert | null): void => {
        signal.removeEventListener('abort', giveUp)
        const others = this.#waiting.get(uuid)
        others?.delete(waiting)
        if (others?.size === 0) this.#waiting.delete(uuid)
        if (this.#waiting.size === 0) this.#rest()
        resolve(ended)
      }
      if (signal.aborted) return resolve(null)
      signal.addEventListener('abort', giveUp)
      const waiting = { alert, done }
      const standing = this.#waiting.get(uuid)
      if (standing) standing.add(waiting)
      else this.#waiting.set(uuid, new Set([waiting]))
      this.#stop ??= this.#watch()
      // It may have ended since the caller last looked.
      if (!isNew) void this.#lookAt([uuid])
    })
  }

  /**
   * Call when this process has ended the alert's investigation.
   * @param ended the alert after that; null: it must be read
   */
  notify(alert: AlertUuid, ended: Alert | null): void {
    if (ended) this.#end(ended)
    else if (this.#waiting.has(alert)) void this.#lookAt([alert])
    if (this.#ends.heard) this.#ends.tell(ended ? endLine(ended, this.#prove) : alert)
  }

  /** Begins to look and to listen. Returns a function that ends both. */
  #watch(): () => void {
    const stopLooking = this.#clock.every(lookEvery, () => void this.#look())
    const stopListening = this.#ends.listen({
      named: (lines) => {
        const left = lines.filter((line) => this.#waiting.has(alertOfLine(line)) && !this.#hear(line))
        if (left.length > 0) void this.#lookAt(left.map(alertOfLine))
      },
      missed: () => void this.#look(),
    })
    return () => {
      stopLooking()
      stopListening()
    }
  }

  /** Ends the waits for the attempt that another process has ended. Returns whether nobody waits for the alert any more. */
  #hear(line: string): boolean {
    const uuid = alertOfLine(line)
    const facts = factsOfLine(line, this.#prove)
    for (const { alert, done } of [...(this.#waiting.get(uuid) ?? [])]) {
      // The hint may be about another attempt. Then the store decides.
      if (facts?.retryCount === alert.retryCount) done({ ...alert, ...facts })
    }
    return !this.#waiting.has(uuid)
  }

  #end(ended: Alert): void {
    for (const { alert, done } of [...(this.#waiting.get(ended.uuid) ?? [])]) {
      // It may have been retried since it was read. Who waits for that does not wait for an earlier end.
      if (ended.retryCount >= alert.retryCount) done(ended)
    }
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
