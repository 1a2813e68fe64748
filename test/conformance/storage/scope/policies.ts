import { expect } from 'vitest'
import { everyone } from '../fixtures.ts'
import { newPolicy } from '../guards/policies.ts'
import { attempt, type ScopeCases } from './world.ts'

export const policies: ScopeCases<'policies'> = {
  async get({ store, stranger, owner }) {
    const own = newPolicy(owner)
    await store.policies.set(everyone, own)
    expect(await store.policies.get(stranger.scope, owner.id)).toBeNull()
    expect(await store.policies.get(owner.scope, owner.id)).toEqual(own)
  },
  async revision({ store, stranger, owner }) {
    const own = newPolicy(owner)
    await store.policies.set(everyone, own)
    expect(await store.policies.revision(stranger.scope, owner.id, 1)).toBeNull()
    expect(await store.policies.revision(owner.scope, owner.id, 1)).toEqual(own)
  },
  async all({ store, stranger, owner }) {
    const own = newPolicy(owner)
    await store.policies.set(everyone, own)
    expect(await store.policies.all(stranger.scope)).toEqual([])
    expect(await store.policies.all(owner.scope)).toEqual([own])
  },
  async set({ store, stranger, owner }) {
    await attempt(store.policies.set(stranger.scope, newPolicy(owner)))
    expect(await store.policies.get(everyone, owner.id)).toBeNull()
  },
  async history({ store, stranger, owner }) {
    await store.policies.set(everyone, newPolicy(owner))
    expect(await store.policies.history(stranger.scope, owner.id, 10)).toEqual([])
    expect(await store.policies.history(owner.scope, owner.id, 10)).toHaveLength(1)
  },
}
