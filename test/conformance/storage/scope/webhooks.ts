import { expect } from 'vitest'
import { everyone, newWebhook } from '../fixtures.ts'
import { attempt, nothing, type ScopeCases, type World } from './world.ts'

/** Disabled, because an enabled one would be told about every organization of the suite. */
const ofAll = () => newWebhook(null, { disabled: 'by_hand' })

/**
 * Returns a webhook of the owner, and one of all organizations, which a scope of some organizations does not
 * see either.
 */
async function made({ store, owner }: World) {
  const [own, all] = [newWebhook(owner.id), ofAll()]
  for (const webhook of [own, all]) await store.webhooks.create(everyone, webhook)
  return { own, all }
}

export const webhooks: ScopeCases<'webhooks'> = {
  async create({ store, stranger, owner }) {
    for (const webhook of [newWebhook(owner.id), ofAll()]) {
      await attempt(store.webhooks.create(stranger.scope, webhook))
      expect(await store.webhooks.get(everyone, webhook.id)).toBeNull()
    }
  },
  async get(world) {
    const { own, all } = await made(world)
    const { store, stranger, owner } = world
    for (const { id } of [own, all]) expect(await store.webhooks.get(stranger.scope, id)).toBeNull()
    expect(await store.webhooks.get(owner.scope, own.id)).toEqual(own)
    expect(await store.webhooks.get(owner.scope, all.id)).toBeNull()
    expect(await store.webhooks.get(everyone, all.id)).toEqual(all)
  },
  async list(world) {
    const { own } = await made(world)
    const { store, stranger, owner } = world
    expect(await store.webhooks.list(stranger.scope, { after: null, limit: 9 })).toEqual(nothing)
    expect(await store.webhooks.list(owner.scope, { after: null, limit: 9 })).toEqual({ items: [own], more: false })
  },
  async count(world) {
    const { own } = await made(world)
    const { store, stranger, owner } = world
    expect(await store.webhooks.count(stranger.scope, own.organization)).toBe(0)
    expect(await store.webhooks.count(owner.scope, own.organization)).toBe(1)
    expect(await store.webhooks.count(owner.scope, null)).toBe(0)
  },
  async enabled(world) {
    const { own } = await made(world)
    const { store, stranger, owner } = world
    expect(await store.webhooks.enabled(stranger.scope)).toEqual([])
    expect(await store.webhooks.enabled(owner.scope)).toEqual([own])
  },
  async revise(world) {
    const { own, all } = await made(world)
    const { store, stranger, owner } = world
    for (const webhook of [own, all]) {
      expect(await attempt(store.webhooks.revise(stranger.scope, { ...webhook, url: 'https://stranger.example', revision: 2 }))).not.toBe('revised')
      expect(await store.webhooks.get(everyone, webhook.id)).toEqual(webhook)
    }
    // An owner cannot turn its webhook into one of all organizations.
    expect(await attempt(store.webhooks.revise(owner.scope, { ...own, organization: null, revision: 2 }))).not.toBe('revised')
    expect(await store.webhooks.get(everyone, own.id)).toEqual(own)
  },
  async remove(world) {
    const { own, all } = await made(world)
    const { store, stranger } = world
    for (const { id } of [own, all]) {
      expect(await attempt(store.webhooks.remove(stranger.scope, id))).not.toBe(true)
      expect(await store.webhooks.get(everyone, id)).not.toBeNull()
    }
  },
}
