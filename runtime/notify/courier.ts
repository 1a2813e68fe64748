import type { Logger } from 'pino'
import { type Ids, type Millis, systemScope, type Webhook, type WebhookId } from '../domain/index.ts'
import type { LeasedDelivery, Store } from '../storage/index.ts'
import { type StoreFailureLog, storeFailures } from '../telemetry/index.ts'
import { type AttemptDeps, attempt } from './attempt.ts'
import { isGone, outcomeOf } from './outcome.ts'
import { Throttle } from './throttle.ts'

/** The most concurrent attempts in a process. This bounds how many bodies are in memory. */
export const atOnce = 200
/** How many webhooks are checked for due deliveries at once. */
const lookedAfter = 16
/** Longer than an attempt and the writing of its outcome. */
const leaseDuration: Millis = 30_000

export interface CourierDeps extends AttemptDeps {
  readonly store: Store
  readonly ids: Ids
  readonly logger: Logger
  /** Absent: nothing is counted. */
  readonly meter?: DeliveryMeter
}

/** Counts attempts to deliver. */
export interface DeliveryMeter {
  /** @param outcome `again`: it failed, and will be tried again. `dead`: it was given up */
  attempted(outcome: 'delivered' | 'again' | 'dead'): void
}

/**
 * Takes due deliveries to their receivers. Callers do not wait for attempts: each one writes its outcome to
 * the store by itself.
 */
export class Courier {
  readonly #deps: CourierDeps
  readonly #failures: StoreFailureLog
  readonly #throttles = new Map<WebhookId, Throttle>()
  readonly #looking = new Set<WebhookId>()
  /** Webhooks that may have more due deliveries than there was room for. The one that has waited longest is first. */
  readonly #hungry = new Set<WebhookId>()
  readonly #underWay = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  #free = atOnce
  #closed = false

  constructor(deps: CourierDeps) {
    this.#deps = deps
    this.#failures = storeFailures(deps.logger, deps.clock)
  }

  /**
   * Begins the due deliveries of these webhooks, as far as there is room. Resolves when they have begun.
   * @throws the store's error
   */
  async begin(webhooks: Iterable<WebhookId>): Promise<void> {
    const all = [...webhooks]
    for (let from = 0; from < all.length; from += lookedAfter) await Promise.all(all.slice(from, from + lookedAfter).map((id) => this.#begin(id)))
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  /** Begins nothing more. Waits `patience` for attempts under way, then aborts the rest and releases their deliveries. */
  async stop(patience: Millis): Promise<void> {
    this.#closed = true
    const cancel = this.#deps.clock.after(patience, () => this.#stopping.abort(new Error('the process stops')))
    await this.settled()
    cancel()
  }

  async #begin(id: WebhookId): Promise<void> {
    if (this.#closed) return
    if (this.#looking.has(id) || this.#free === 0) {
      this.#hungry.add(id)
      return
    }
    this.#looking.add(id)
    try {
      await this.#fill(id)
    } finally {
      this.#looking.delete(id)
      this.#goOn()
    }
  }

  async #fill(id: WebhookId): Promise<void> {
    const throttle = this.#throttles.get(id) ?? new Throttle()
    const room = Math.min(throttle.room(this.#deps.clock.now()), this.#free)
    if (room === 0) return
    this.#free -= room
    let taken: readonly (readonly [Webhook, LeasedDelivery])[] = []
    try {
      taken = await this.#take(id, room)
    } finally {
      this.#free += room - taken.length
    }
    for (const [webhook, delivery] of taken) this.#start(throttle, webhook, delivery, taken.length === room)
  }

  async #take(id: WebhookId, limit: number): Promise<(readonly [Webhook, LeasedDelivery])[]> {
    const { store, ids, clock } = this.#deps
    // Read each time, so that a disabled or changed webhook takes effect with the next attempt.
    const webhook = await store.webhooks.get(systemScope, id)
    if (webhook?.disabled === null) {
      const leased = await store.deliveries.lease(systemScope, id, { holder: ids.uuid(), duration: leaseDuration, limit })
      return leased.map((delivery) => [webhook, delivery] as const)
    }
    const error = webhook ? 'The webhook is disabled.' : 'The webhook was removed.'
    await store.deliveries.abandon(systemScope, id, { at: clock.now(), status: null, error })
    if (this.#throttles.get(id)?.active === 0) this.#throttles.delete(id)
    return []
  }

  /** @param more whether more deliveries may be due */
  #start(throttle: Throttle, webhook: Webhook, delivery: LeasedDelivery, more: boolean): void {
    throttle.active += 1
    this.#throttles.set(webhook.id, throttle)
    const work = this.#deliver(throttle, webhook, delivery)
      .catch((error: unknown) => {
        // Its lease expires, and then some process tries again.
        this.#failures.warn(error, { delivery: delivery.id }, 'could not write the outcome of a delivery')
      })
      .finally(() => {
        throttle.active -= 1
        this.#free += 1
        if (throttle.idle(this.#deps.clock.now())) this.#throttles.delete(webhook.id)
        this.#underWay.delete(work)
        if (more) this.#hungry.add(webhook.id)
        this.#goOn()
      })
    this.#underWay.add(work)
  }

  /** Gives free room to the webhook that has waited longest. */
  #goOn(): void {
    const [id] = this.#hungry
    if (id === undefined || this.#free === 0) return
    this.#hungry.delete(id)
    const work = this.#begin(id)
      .catch((error: unknown) => this.#failures.warn(error, { webhook: id }, 'could not read deliveries'))
      .finally(() => this.#underWay.delete(work))
    this.#underWay.add(work)
  }

  async #deliver(throttle: Throttle, webhook: Webhook, delivery: LeasedDelivery): Promise<void> {
    const { store, clock, logger, meter } = this.#deps
    const attempted = await attempt(this.#deps, webhook, delivery.event, delivery.body, this.#stopping.signal)
    const now = clock.now()
    if (attempted.error !== null && this.#stopping.signal.aborted) {
      await store.deliveries.settle(systemScope, delivery.id, delivery.holder, { kind: 'released' })
      return
    }
    if (isGone(attempted)) await this.#disable(webhook)
    else throttle.note(attempted, now)
    const outcome = outcomeOf(delivery, attempted, now)
    await store.deliveries.settle(systemScope, delivery.id, delivery.holder, outcome)
    if (outcome.kind !== 'released') meter?.attempted(outcome.kind)
    const { status, error, detail } = attempted
    const told = { delivery: delivery.id, webhook: webhook.id, status, error, detail }
    if (outcome.kind === 'dead') logger.warn(told, 'a delivery was given up')
    else if (outcome.kind === 'again') logger.debug(told, 'a delivery will be tried again')
  }

  /** Disables a webhook, unless somebody has changed it since it was read. In that case the next attempt finds out. */
  async #disable(webhook: Webhook): Promise<void> {
    const { store, clock, logger } = this.#deps
    const next: Webhook = { ...webhook, disabled: 'gone', revision: webhook.revision + 1, modifiedAt: clock.now() }
    if ((await store.webhooks.revise(systemScope, next)) === 'revised')
      logger.warn({ webhook: webhook.id }, 'a webhook was disabled: its receiver answered 410')
  }
}
