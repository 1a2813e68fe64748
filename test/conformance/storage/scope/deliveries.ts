import { expect } from 'vitest'
import type { NewDelivery, Webhook } from '../../../../runtime/domain/index.ts'
import { everyone, newDelivery, newWebhook, noon } from '../fixtures.ts'
import { attempt, nothing, type ScopeCases, type World } from './world.ts'

const lease = { holder: 'h', duration: 60_000, limit: 9 }
const tried = { at: noon, status: 200, error: null }

async function waiting({ store, owner }: World): Promise<{ readonly webhook: Webhook; readonly delivery: NewDelivery }> {
  const webhook = newWebhook(owner.id)
  const delivery = newDelivery(webhook)
  await store.deliveries.add(everyone, [delivery])
  return { webhook, delivery }
}

export const deliveries: ScopeCases<'deliveries'> = {
  async add({ store, stranger, owner }) {
    for (const delivery of [newDelivery(newWebhook(owner.id)), newDelivery(newWebhook(null))]) {
      await attempt(store.deliveries.add(stranger.scope, [delivery]))
      expect(await store.deliveries.get(everyone, delivery.id)).toBeNull()
    }
  },
  async get(world) {
    const { delivery } = await waiting(world)
    expect(await world.store.deliveries.get(world.stranger.scope, delivery.id)).toBeNull()
    expect(await world.store.deliveries.get(world.owner.scope, delivery.id)).toMatchObject(delivery)
    const ofAll = newDelivery(newWebhook(null))
    await world.store.deliveries.add(everyone, [ofAll])
    expect(await world.store.deliveries.get(world.owner.scope, ofAll.id)).toBeNull()
  },
  async list(world) {
    const { webhook } = await waiting(world)
    const query = { webhook: webhook.id, after: null, limit: 9 }
    expect(await world.store.deliveries.list(world.stranger.scope, query)).toEqual(nothing)
    expect((await world.store.deliveries.list(world.owner.scope, query)).items).toHaveLength(1)
  },
  async due(world) {
    const { webhook } = await waiting(world)
    expect(await world.store.deliveries.due(world.stranger.scope)).toEqual([])
    expect(await world.store.deliveries.due(world.owner.scope)).toEqual([webhook.id])
  },
  async lease(world) {
    const { webhook } = await waiting(world)
    expect(await world.store.deliveries.lease(world.stranger.scope, webhook.id, lease)).toEqual([])
    expect(await world.store.deliveries.lease(world.owner.scope, webhook.id, lease)).toHaveLength(1)
  },
  async settle(world) {
    const { webhook, delivery } = await waiting(world)
    const { store, stranger } = world
    await store.deliveries.lease(everyone, webhook.id, lease)
    expect(await attempt(store.deliveries.settle(stranger.scope, delivery.id, 'h', { kind: 'delivered', attempt: tried }))).not.toBe(true)
    expect(await store.deliveries.get(everyone, delivery.id)).toMatchObject({ state: 'waiting' })
  },
  async abandon(world) {
    const { webhook, delivery } = await waiting(world)
    expect(await attempt(world.store.deliveries.abandon(world.stranger.scope, webhook.id, tried))).toBe(0)
    expect(await world.store.deliveries.get(everyone, delivery.id)).toMatchObject({ state: 'waiting' })
  },
  async again(world) {
    const { webhook, delivery } = await waiting(world)
    const { store, stranger } = world
    await store.deliveries.lease(everyone, webhook.id, lease)
    await store.deliveries.settle(everyone, delivery.id, 'h', { kind: 'dead', attempt: tried })
    expect(await store.deliveries.again(stranger.scope, delivery.id)).toBeNull()
    expect(await store.deliveries.get(everyone, delivery.id)).toMatchObject({ state: 'dead' })
  },
  async prune(world) {
    const { webhook, delivery } = await waiting(world)
    const { store, stranger, owner } = world
    await store.deliveries.lease(everyone, webhook.id, lease)
    await store.deliveries.settle(everyone, delivery.id, 'h', { kind: 'delivered', attempt: tried })
    expect(await store.deliveries.prune(stranger.scope, 'delivered', 0, 9)).toBe(0)
    expect(await store.deliveries.prune(owner.scope, 'delivered', 0, 9)).toBe(1)
  },
}
