import { type Alert, AlertStatus, type AlertUuid, type Clock, type Millis, systemScope } from '../../domain/index.ts'
import type { NamedHints, Topic } from '../../hints/index.ts'
import type { Store } from '../../storage/index.ts'
import { alertOfLine, endLine, endOfLine, type Prove } from './told-ends.ts'
import { UnshownEnds } from './unshown-ends.ts'

/** How often it looks up all awaited alerts. Another process may end their runs, and its hint may be lost. */
const lookEvery: Millis = 250

/** The processes of this installation that have the API. */
type Serves = Pick<Topic, 'alone' | 'ask'>

interface Waiting {
  readonly alert: Alert
  /** Whether the alert is all that the caller needs. Then it need not wait until reads show the end. */
  readonly alone: boolean
  readonly done: (ended: Alert | null) => void
}

/** Tells callers that wait (`Prefer: wait`) that an alert's investigation has ended. */
export class EndWatch {
  readonly #store: Store
  readonly #clock: Clock
  readonly #waiting = new Map<AlertUuid, Set<Waiting>>()
  readonly #ends: NamedHints
  readonly #prove: Prove
  readonly #serves: Serves | null
  readonly #unshown: UnshownEnds
  #stop: (() => void) | null = null
  #looking = false

  /**
   * @param ends tells the other processes which alerts' investigations end here, and this one which end there
   * @param prove the same in all processes of this installation, and secret
   * @param serves the processes with the API. Null: there is only this one
   */
  constructor(store: Store, clock: Clock, ends: NamedHints, prove: Prove, serves: Serves | null) {
    this.#store = store
    this.#clock = clock
    this.#ends = ends
    this.#prove = prove
    this.#serves = serves
    this.#unshown = new UnshownEnds(clock, () => this.#restIfIdle())
  }

  /**
   * Resolves with the alert when its investigation has ended, or if there is none. Null: the signal has aborted.
   * @param alert as the caller knows it
   * @param isNew whether the caller has just stored the alert, so that it can hardly have ended yet. Then nothing is read
   * at once, and other reads may show the end only after `shown`
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
        this.#restIfIdle()
        resolve(ended)
      }
      if (signal.aborted) return resolve(null)
      signal.addEventListener('abort', giveUp)
      const waiting = { alert, done, alone: isNew }
      const standing = this.#waiting.get(uuid)
      if (standing) standing.add(waiting)
      else this.#waiting.set(uuid, new Set([waiting]))
      this.#stop ??= this.#watch()
      // It may have ended since the caller last looked.
      if (!isNew) void this.#lookAt([uuid])
    })
  }

  /** Resolves when reads show the end that callers here were told for this alert. Null: they show it already. */
  shown(alert: AlertUuid): Promise<void> | null {
    return this.#unshown.shown(alert)
  }

  /**
   * Call when the end of an alert's investigation is stored, and `notify` follows when reads show it.
   * @param ended the alert after that
   */
  stored(ended: Alert): void {
    this.#tellAhead(ended.uuid, ({ retryCount }) => (retryCount === ended.retryCount ? ended : null))
    if (this.#ends.heard) this.#ends.tell(endLine(ended, this.#prove, true))
  }

  /**
   * Call when this process has ended the alert's investigation, and reads show it.
   * @param ended the alert after that; null: it must be read
   */
  notify(alert: AlertUuid, ended: Alert | null): void {
    this.#unshown.remove(alert)
    if (ended) this.#end(ended)
    else if (this.#waiting.has(alert)) void this.#lookAt([alert])
    if (this.#ends.heard) this.#ends.tell(ended ? endLine(ended, this.#prove) : alert)
  }

  /** Begins to look and to listen. Returns a function that ends both. */
  #watch(): () => void {
    // The other process with the API may have ended since.
    if (this.#serves?.alone === false) void this.#serves.ask()
    const stopLooking = this.#clock.every(lookEvery, () => void this.#look())
    const stopListening = this.#ends.listen({
      named: (lines) => {
        const left = lines.filter((line) => this.#concerns(alertOfLine(line)) && !this.#hear(line))
        if (left.length > 0) void this.#lookAt(left.map(alertOfLine))
      },
      missed: () => void this.#look(),
    })
    return () => {
      stopLooking()
      stopListening()
    }
  }

  #concerns(alert: AlertUuid): boolean {
    return this.#waiting.has(alert) || this.#unshown.has(alert)
  }

  /** Ends the waits for the attempt that another process has ended. Returns whether nothing need be read because of this line. */
  #hear(line: string): boolean {
    const uuid = alertOfLine(line)
    const { facts, ahead } = endOfLine(line, this.#prove) ?? { facts: null, ahead: false }
    // The hint may be about another attempt. Then the store decides.
    const endOf = (alert: Alert): Alert | null => (facts?.retryCount === alert.retryCount ? { ...alert, ...facts } : null)
    if (ahead) {
      this.#tellAhead(uuid, endOf)
      return true
    }
    this.#unshown.remove(uuid)
    for (const { alert, done } of [...(this.#waiting.get(uuid) ?? [])]) {
      const ended = endOf(alert)
      if (ended) done(ended)
    }
    return !this.#waiting.has(uuid)
  }

  /**
   * Ends the waits of those who need no more than the alert. Does nothing if another process has the API too. The client might read the alert
   * there next, and that process does not know that reads may not show the end yet.
   * @param endOf returns the ended alert; null: the end is of another attempt
   */
  #tellAhead(uuid: AlertUuid, endOf: (alert: Alert) => Alert | null): void {
    if (this.#serves?.alone === false) return
    for (const { alert, done, alone } of [...(this.#waiting.get(uuid) ?? [])]) {
      const ended = alone ? endOf(alert) : null
      if (!ended) continue
      this.#unshown.add(uuid)
      done(ended)
    }
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
    const alerts = uuids.length === 0 ? [] : await this.#store.alerts.get(systemScope, uuids).catch(() => [])
    for (const alert of alerts) if (alert.status >= AlertStatus.completed || alert.type === null) this.#end(alert)
  }

  #restIfIdle(): void {
    if (this.#waiting.size > 0 || this.#unshown.size > 0) return
    this.#stop?.()
    this.#stop = null
  }
}
