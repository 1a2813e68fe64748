import { expect } from 'vitest'
import { keyOf } from '../access/principals.ts'
import { everyone, newPrincipal, noon } from '../fixtures.ts'
import { attempt, nothing, type ScopeCases } from './world.ts'

export const principals: ScopeCases<'principals'> = {
  async create({ store, stranger, owner }) {
    for (const principal of [newPrincipal([owner.id]), newPrincipal([stranger.id, owner.id]), newPrincipal('all')]) {
      await attempt(store.principals.create(stranger.scope, principal))
      expect(await store.principals.byId(everyone, [principal.id])).toEqual([])
    }
  },
  async byId({ store, stranger, owner, principal }) {
    const [both, all] = [newPrincipal([stranger.id, owner.id]), newPrincipal('all')]
    for (const other of [both, all]) await store.principals.create(everyone, other)
    expect(await store.principals.byId(stranger.scope, [principal.id, both.id, all.id])).toEqual([])
    expect(await store.principals.byId(owner.scope, [principal.id, both.id, all.id])).toEqual([principal])
    const wide = { organizations: [stranger.id, owner.id] }
    expect((await store.principals.byId(wide, [principal.id, both.id, all.id])).map(({ id }) => id).sort()).toEqual([principal.id, both.id].sort())
  },
  async addKey({ store, stranger, principal }) {
    const key = keyOf(principal)
    await attempt(store.principals.addKey(stranger.scope, key))
    expect(await store.principals.keyByHash(everyone, key.hash)).toBeNull()
  },
  async keyByHash({ store, stranger, owner, key, principal }) {
    expect(await store.principals.keyByHash(stranger.scope, key.hash)).toBeNull()
    expect(await store.principals.keyByHash(owner.scope, key.hash)).toEqual({ key, principal })
  },
  async listKeys({ store, stranger, owner, key, principal }) {
    expect(await store.principals.listKeys(stranger.scope, { after: null, limit: 9 })).toEqual(nothing)
    expect(await store.principals.listKeys(owner.scope, { after: null, limit: 9 })).toEqual({ items: [{ key, principal }], more: false })
  },
  async mostKeys({ store, stranger, owner }) {
    expect(await store.principals.mostKeys(stranger.scope, [owner.id], noon)).toEqual({ organization: null, keys: 0 })
    expect(await store.principals.mostKeys(owner.scope, [owner.id], noon)).toEqual({ organization: owner.id, keys: 1 })
    expect(await store.principals.mostKeys(owner.scope, 'all', noon)).toEqual({ organization: null, keys: 0 })
  },
  async keyById({ store, stranger, key }) {
    expect(await store.principals.keyById(stranger.scope, key.id)).toBeNull()
  },
  async revokeKey({ store, stranger, key }) {
    expect(await store.principals.revokeKey(stranger.scope, key.id, noon)).toBeNull()
    expect((await store.principals.keyByHash(everyone, key.hash))?.key.revokedAt).toBeNull()
  },
  async noteKeyUse({ store, stranger, key }) {
    await attempt(store.principals.noteKeyUse(stranger.scope, key.id, noon))
    expect((await store.principals.keyByHash(everyone, key.hash))?.key.lastUsedAt).toBeNull()
  },
}
