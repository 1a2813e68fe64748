import { describe, expect, test } from 'vitest'
import type { ApiKey, KeyId, Principal, PrincipalId } from '../../../../runtime/domain/index.ts'
import { everyone, newPrincipal, newTenant, noon, numbersTo, uuid } from '../fixtures.ts'
import type { At } from '../harness.ts'

export function keyOf(principal: Principal, hash: string = uuid()): ApiKey {
  return { id: uuid<KeyId>(), principal: principal.id, name: 'laptop', hash, createdAt: noon, revokedAt: null, expiresAt: null, lastUsedAt: null }
}

export function principalCases(at: At): void {
  async function somebody(): Promise<Principal> {
    const principal = newPrincipal([newTenant().id])
    await at().store.principals.create(everyone, principal)
    return principal
  }

  test('a principal is found by id, as it was created, with its maker', async () => {
    const { store } = at()
    const one = await somebody()
    const all = { ...newPrincipal('all'), createdBy: one.id }
    await store.principals.create(everyone, all)
    const found = await store.principals.byId(everyone, [one.id, all.id, uuid<PrincipalId>()])
    expect(found).toHaveLength(2)
    expect(found).toEqual(expect.arrayContaining([one, all]))
  })

  describe('a key', () => {
    test('is found by its hash, together with its principal', async () => {
      const { store } = at()
      const principal = { ...newPrincipal([newTenant().id]), createdBy: (await somebody()).id }
      await store.principals.create(everyone, principal)
      const key = keyOf(principal)
      expect(await store.principals.addKey(everyone, key)).toBe('added')
      expect(await store.principals.keyByHash(everyone, key.hash)).toEqual({ key, principal })
      expect(await store.principals.keyById(everyone, key.id)).toEqual({ key, principal })
      expect(await store.principals.keyByHash(everyone, uuid())).toBeNull()
    })

    test('with a hash that exists is refused, and the first key stays', async () => {
      const { store } = at()
      const [first, other] = [await somebody(), await somebody()]
      const key = keyOf(first)
      await store.principals.addKey(everyone, key)
      expect(await store.principals.addKey(everyone, keyOf(other, key.hash))).toBe('exists')
      expect((await store.principals.keyByHash(everyone, key.hash))?.principal.id).toBe(first.id)
    })

    test('is not found once it is revoked, and keeps the time of the first revocation', async () => {
      const { store } = at()
      const key = keyOf(await somebody())
      await store.principals.addKey(everyone, key)
      expect(await store.principals.revokeKey(everyone, key.id, noon + 5)).toEqual({ ...key, revokedAt: noon + 5 })
      expect(await store.principals.revokeKey(everyone, key.id, noon + 9)).toEqual({ ...key, revokedAt: noon + 5 })
      expect(await store.principals.keyByHash(everyone, key.hash)).toBeNull()
      expect(await store.principals.revokeKey(everyone, uuid<KeyId>(), noon)).toBeNull()
      expect((await store.principals.keyById(everyone, key.id))?.key).toEqual({ ...key, revokedAt: noon + 5 })
      expect(await store.principals.keyById(everyone, uuid<KeyId>())).toBeNull()
      await at().reopen()
      expect(await at().store.principals.keyByHash(everyone, key.hash)).toBeNull()
    })

    test('counts for each of its organizations until it is revoked', async () => {
      const { store } = at()
      const [full, other, empty] = [newTenant().id, newTenant().id, newTenant().id]
      const everywhere = await store.principals.mostKeys(everyone, 'all', noon)
      const keys = await Promise.all(
        ([[full], [other, full], [full], 'all'] as const).map(async (organizations) => {
          const principal = newPrincipal(organizations)
          await store.principals.create(everyone, principal)
          const key = keyOf(principal)
          await store.principals.addKey(everyone, key)
          return key
        }),
      )
      await store.principals.revokeKey(everyone, keys[2]!.id, noon)
      expect(await store.principals.mostKeys(everyone, [empty, other, full], noon)).toEqual({ organization: full, keys: 2 })
      expect(await store.principals.mostKeys(everyone, [other], noon)).toEqual({ organization: other, keys: 1 })
      expect(await store.principals.mostKeys(everyone, [empty], noon)).toEqual({ organization: null, keys: 0 })
      expect(await store.principals.mostKeys(everyone, 'all', noon)).toEqual({ organization: null, keys: everywhere.keys + 1 })
    })

    test('counts until it expires', async () => {
      const { store } = at()
      const tenant = newTenant()
      const everywhere = (await store.principals.mostKeys(everyone, 'all', noon)).keys
      for (const organizations of [[tenant.id], 'all'] as const) {
        const principal = newPrincipal(organizations)
        await store.principals.create(everyone, principal)
        for (const expiresAt of [noon + 5, noon + 9]) await store.principals.addKey(everyone, { ...keyOf(principal), expiresAt })
      }
      const counts = [noon + 4, noon + 5, noon + 9].map(async (time) => [
        (await store.principals.mostKeys(everyone, [tenant.id], time)).keys,
        (await store.principals.mostKeys(everyone, 'all', time)).keys - everywhere,
      ])
      expect(await Promise.all(counts)).toEqual([
        [2, 2],
        [1, 1],
        [0, 0],
      ])
    })

    test('is found even if it has expired, with its time', async () => {
      const { store } = at()
      const principal = await somebody()
      const key = { ...keyOf(principal), expiresAt: noon }
      await store.principals.addKey(everyone, key)
      expect(await store.principals.keyByHash(everyone, key.hash)).toEqual({ key, principal })
    })

    test('keeps the latest use that was noted', async () => {
      const { store } = at()
      const key = keyOf(await somebody())
      await store.principals.addKey(everyone, key)
      for (const time of [noon + 5, noon + 9, noon + 7]) await store.principals.noteKeyUse(everyone, key.id, time)
      await store.principals.noteKeyUse(everyone, uuid<KeyId>(), noon)
      await at().reopen()
      expect((await at().store.principals.keyById(everyone, key.id))?.key).toEqual({ ...key, lastUsedAt: noon + 9 })
    })

    test('is listed newest first, page by page, even if revoked', async () => {
      const { store } = at()
      const tenant = newTenant()
      const principal = { ...newPrincipal([tenant.id]), createdBy: uuid<PrincipalId>() }
      await store.principals.create(everyone, principal)
      const keys = numbersTo(5)
        .map(() => keyOf(principal))
        .sort((a, b) => (a.id < b.id ? -1 : 1))
      for (const key of keys) await store.principals.addKey(everyone, key)
      await store.principals.addKey(everyone, keyOf(await somebody()))
      await store.principals.revokeKey(everyone, keys[1]!.id, noon + 1)
      const first = await store.principals.listKeys(tenant.scope, { after: null, limit: 3 })
      expect(first.items.map(({ key }) => key.id)).toEqual([keys[4]?.id, keys[3]?.id, keys[2]?.id])
      expect(first.more).toBe(true)
      const second = await store.principals.listKeys(tenant.scope, { after: keys[2]!.id, limit: 3 })
      expect(second).toEqual({
        items: [
          { key: { ...keys[1], revokedAt: noon + 1 }, principal },
          { key: keys[0], principal },
        ],
        more: false,
      })
    })
  })
}
