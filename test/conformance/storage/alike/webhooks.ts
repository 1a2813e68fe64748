import {
  type Delivery,
  deliveryStates,
  type EventType,
  eventTypes,
  type Fact,
  type NewDelivery,
  nameOf,
  type Webhook,
} from '../../../../runtime/domain/index.ts'
import type { DeliveryOutcome, DeliveryQuery } from '../../../../runtime/storage/index.ts'
import { newDelivery, newWebhook } from '../fixtures.ts'
import type { Stage } from './stage.ts'

const holders = ['a', 'b']
const hour = 3_600_000

/** The clocks of the two stores differ, so comparisons leave out their times. */
function timeless(delivery: Delivery) {
  return { ...delivery, nextAttemptAt: delivery.nextAttemptAt !== null }
}

function timelessOrNull(delivery: Delivery | null) {
  return delivery && timeless(delivery)
}

/** Random acts on webhooks, the outbox and deliveries, and questions about them. */
export class WebhookActs {
  readonly #stage: Stage
  #known: readonly Webhook[] = []
  #deliveries: readonly NewDelivery[] = []

  constructor(stage: Stage) {
    this.#stage = stage
  }

  async act(): Promise<void> {
    const { dice } = this.#stage
    if (this.#known.length === 0 || dice.roll(9) === 0) return this.#create()
    if (this.#deliveries.length === 0 || dice.roll(4) === 0) return this.#add()
    await dice.one([
      () => this.#revise(),
      () => this.#remove(),
      () => this.#outbox(),
      () => this.#attempt(),
      () => this.#attempt(),
      () => this.#attempt(),
      () => this.#change(),
      () => this.#ask(),
      () => this.#list(),
    ])()
  }

  #events(): readonly EventType[] {
    return this.#stage.some(eventTypes)
  }

  async #create(): Promise<void> {
    const webhook = newWebhook(this.#stage.owner(), { events: this.#events(), createdAt: this.#stage.later() })
    const scope = this.#stage.scope()
    const made = await this.#stage.both.alikeOrRefused({ create: webhook, scope }, async (store) => {
      await store.webhooks.create(scope, webhook)
      return true
    })
    if (made) this.#known = [...this.#known, webhook]
  }

  async #revise(): Promise<void> {
    const { dice } = this.#stage
    const standing = dice.one(this.#known)
    const next: Webhook = {
      ...standing,
      ...this.#stage.maybe('organization', this.#stage.owner()),
      events: this.#events(),
      disabled: dice.one([null, null, 'by_hand', 'gone']),
      revision: this.#stage.next(standing.revision),
    }
    const scope = this.#stage.scope()
    const result = await this.#stage.both.alikeOrRefused({ revise: next, scope }, (store) => store.webhooks.revise(scope, next))
    if (result === 'revised') this.#known = this.#known.map((one) => (one.id === next.id ? next : one))
  }

  async #remove(): Promise<void> {
    if (this.#stage.often()) return
    const { id } = this.#stage.dice.one(this.#known)
    const scope = this.#stage.scope()
    await this.#stage.both.alikeOrRefused({ remove: id, scope }, (store) => store.webhooks.remove(scope, id))
  }

  async #outbox(): Promise<void> {
    const { both } = this.#stage
    const scope = this.#stage.scope()
    const facts = await both.alike({ outbox: scope }, async ({ outbox }) => byName(await outbox.pending(scope, 1_000)))
    const told = this.#stage.some(facts).map(nameOf)
    if (this.#stage.seldom()) await both.alike({ clear: told, scope }, ({ outbox }) => outbox.clear(scope, told))
  }

  async #add(): Promise<void> {
    const { dice, both } = this.#stage
    const fresh = [1, 2].map(() => newDelivery(dice.one(this.#known), { createdAt: this.#stage.later() }))
    const again = this.#deliveries.length > 0 && this.#stage.seldom() ? [{ ...dice.one(this.#deliveries), body: 'another' }] : []
    const scope = this.#stage.scope()
    const added = await both.alikeOrRefused({ add: fresh, again, scope }, async ({ deliveries }) => {
      await deliveries.add(scope, [...fresh, ...again])
      return true
    })
    if (added) this.#deliveries = [...this.#deliveries, ...fresh]
  }

  /** Leases what is due for a webhook, and tells how it went. */
  async #attempt(): Promise<void> {
    const { dice, both } = this.#stage
    const scope = this.#stage.scope()
    const { id } = dice.one(this.#known)
    const lease = { holder: dice.one(holders), duration: dice.one([0, hour]), limit: 1_000 }
    const leased = await both.alike({ lease, webhook: id, scope }, async ({ deliveries }) => {
      const found = await deliveries.lease(scope, id, lease)
      return found.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ age: _, ...delivery }) => timeless(delivery))
    })
    for (const delivery of leased) if (this.#stage.often()) await this.#settle(delivery.id)
  }

  async #settle(id: Delivery['id']): Promise<void> {
    const { dice, both } = this.#stage
    const scope = this.#stage.scope()
    const holder = dice.one(holders)
    const attempt = { at: this.#stage.later(), status: dice.one([null, 200, 500]), error: dice.one([null, '$x']) }
    const outcome = dice.one<DeliveryOutcome>([
      { kind: 'delivered', attempt },
      { kind: 'dead', attempt },
      { kind: 'again', attempt, delay: dice.one([0, hour]) },
      { kind: 'released' },
    ])
    await both.alike({ settle: id, holder, outcome, scope }, ({ deliveries }) => deliveries.settle(scope, id, holder, outcome))
    await both.alike({ delivery: id, scope }, async ({ deliveries }) => timelessOrNull(await deliveries.get(scope, id)))
  }

  async #change(): Promise<void> {
    const { dice, both } = this.#stage
    const scope = this.#stage.scope()
    const { id } = dice.one(this.#deliveries)
    const webhook = dice.one(this.#known).id
    const attempt = { at: this.#stage.later(), status: 410, error: 'gone' }
    const age = dice.one([0, hour])
    const state = dice.one(['delivered', 'dead'] as const)
    await dice.one([
      () => both.alike({ again: id, scope }, async ({ deliveries }) => timelessOrNull(await deliveries.again(scope, id))),
      () => both.alike({ again: id, scope }, async ({ deliveries }) => timelessOrNull(await deliveries.again(scope, id))),
      () => both.alike({ abandon: webhook, scope }, ({ deliveries }) => deliveries.abandon(scope, webhook, attempt)),
      () => both.alike({ prune: state, age, scope }, ({ deliveries }) => deliveries.prune(scope, state, age, 1_000)),
      () => both.pass(2 * hour),
      () => this.#settle(id),
    ])()
  }

  async #ask(): Promise<void> {
    const stage = this.#stage
    const scope = stage.scope()
    const { id } = stage.dice.one(this.#known)
    const owner = stage.owner()
    const page = { after: stage.dice.one([null, id]), limit: 1 + stage.dice.roll(5) }
    await stage.both.alike({ webhook: id, scope }, ({ webhooks }) => webhooks.get(scope, id))
    await stage.both.alike({ webhooks: page, scope }, ({ webhooks }) => webhooks.list(scope, page))
    await stage.both.alike({ count: owner, scope }, ({ webhooks }) => webhooks.count(scope, owner))
    await stage.both.alike({ enabled: scope }, ({ webhooks }) => webhooks.enabled(scope))
    await stage.both.alike({ due: scope }, async ({ deliveries }) => (await deliveries.due(scope)).toSorted())
  }

  async #list(): Promise<void> {
    const stage = this.#stage
    const scope = stage.scope()
    const webhook = stage.dice.one(this.#known).id
    const conditions = stage.maybe('states', stage.some(deliveryStates))
    let after: DeliveryQuery['after'] = null
    for (let page = 0; page < 3; page += 1) {
      const query: DeliveryQuery = { webhook, ...conditions, after, limit: 1 + stage.dice.roll(5) }
      const { items, more } = await stage.both.alike({ deliveries: query, scope }, async ({ deliveries }) => {
        const found = await deliveries.list(scope, query)
        return { more: found.more, items: found.items.map(timeless) }
      })
      const last = items.at(-1)
      if (!last || !more) break
      after = { createdAt: last.createdAt, id: last.id }
    }
  }
}

function byName(facts: readonly Fact[]): readonly Fact[] {
  const name = (fact: Fact): string => JSON.stringify(nameOf(fact))
  return facts.toSorted((a, b) => (name(a) < name(b) ? -1 : 1))
}
