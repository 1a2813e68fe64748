import { expect } from 'vitest'
import { newFetchState } from '../../../../runtime/domain/index.ts'
import { failed, newFetch } from '../fetches/made.ts'
import { everyone, noon } from '../fixtures.ts'
import { attempt, nothing, type ScopeCases, type World } from './world.ts'

const lease = { holder: 'h', duration: 60_000 }

async function made({ store, owner }: World, state = newFetchState(noon)) {
  const fetch = newFetch(owner.id)
  await store.fetches.create(everyone, fetch, state)
  return { fetch, state }
}

export const fetches: ScopeCases<'fetches'> = {
  async create({ store, stranger, owner }) {
    const fetch = newFetch(owner.id)
    await attempt(store.fetches.create(stranger.scope, fetch, newFetchState(noon)))
    expect(await store.fetches.get(everyone, fetch.id)).toBeNull()
  },
  async get(world) {
    const known = await made(world)
    const { store, stranger, owner } = world
    expect(await store.fetches.get(stranger.scope, known.fetch.id)).toBeNull()
    expect(await store.fetches.get(owner.scope, known.fetch.id)).toEqual(known)
  },
  async list(world) {
    const known = await made(world)
    const { store, stranger, owner } = world
    expect(await store.fetches.list(stranger.scope, { after: null, limit: 9 })).toEqual(nothing)
    expect(await store.fetches.list(owner.scope, { after: null, limit: 9 })).toEqual({ items: [known], more: false })
  },
  async count(world) {
    const { fetch } = await made(world)
    const { store, stranger, owner } = world
    expect(await store.fetches.count(stranger.scope, fetch.organization)).toBe(0)
    expect(await store.fetches.count(owner.scope, fetch.organization)).toBe(1)
  },
  async failing(world) {
    await made(world, failed)
    const { store, stranger, owner } = world
    expect(await store.fetches.failing(stranger.scope)).toBe(0)
    expect(await store.fetches.failing(owner.scope)).toBe(1)
  },
  async revise(world) {
    const known = await made(world)
    const { store, stranger, owner } = world
    expect(await attempt(store.fetches.revise(stranger.scope, { ...known.fetch, name: 'stolen', revision: 2 }, 0))).not.toBe('revised')
    // An owner cannot give its fetch to another organization.
    expect(await attempt(store.fetches.revise(owner.scope, { ...known.fetch, organization: stranger.id, revision: 2 }, null))).not.toBe('revised')
    expect(await store.fetches.get(everyone, known.fetch.id)).toEqual(known)
  },
  async remove(world) {
    const { fetch } = await made(world)
    const { store, stranger } = world
    expect(await attempt(store.fetches.remove(stranger.scope, fetch.id))).not.toBe(true)
    expect(await store.fetches.get(everyone, fetch.id)).not.toBeNull()
  },
  async hurry(world) {
    const { fetch } = await made(world)
    const { store, stranger, owner } = world
    expect(await attempt(store.fetches.hurry(stranger.scope, fetch.id, 0))).not.toBe(true)
    expect(await store.fetches.hurry(owner.scope, fetch.id, 0)).toBe(true)
  },
  async due(world) {
    const { fetch } = await made(world)
    const { store, stranger, owner } = world
    expect(await store.fetches.due(stranger.scope, 9)).toEqual([])
    expect(await store.fetches.due(owner.scope, 9)).toEqual([fetch.id])
  },
  async lease(world) {
    const { fetch } = await made(world)
    const { store, stranger, owner } = world
    expect(await attempt(store.fetches.lease(stranger.scope, fetch.id, lease))).toBeNull()
    expect(await store.fetches.lease(owner.scope, fetch.id, lease)).not.toBeNull()
  },
  async extend(world) {
    const { fetch } = await made(world)
    const { store, stranger, owner } = world
    await store.fetches.lease(everyone, fetch.id, lease)
    expect(await attempt(store.fetches.extend(stranger.scope, fetch.id, lease))).not.toBe(true)
    expect(await store.fetches.extend(owner.scope, fetch.id, lease)).toBe(true)
  },
  async settle(world) {
    const known = await made(world)
    const { store, stranger, owner } = world
    await store.fetches.lease(everyone, known.fetch.id, lease)
    expect(await attempt(store.fetches.settle(stranger.scope, known.fetch.id, 'h', failed, 0))).not.toBe(true)
    expect(await store.fetches.get(everyone, known.fetch.id)).toMatchObject(known)
    expect(await store.fetches.settle(owner.scope, known.fetch.id, 'h', failed, 0)).toBe(true)
  },
}
