import { expect, test } from 'vitest'
import { type AlertFetch, newFetchState } from '../../../../runtime/domain/index.ts'
import { everyone, newTenant, noon, numbersTo, uuid } from '../fixtures.ts'
import type { At } from '../harness.ts'
import { failed, fetched, newFetch } from './made.ts'

const minute = 60_000
const state = newFetchState(noon)

export function fetchCases(at: At): void {
  test('a fetch is read as it was created, also after a restart', async () => {
    const tenant = newTenant()
    const made = newFetch(tenant.id)
    await at().store.fetches.create(tenant.scope, made, failed)
    await at().reopen()
    expect(await at().store.fetches.get(tenant.scope, made.id)).toEqual({ fetch: made, state: failed })
    expect(await at().store.fetches.get(everyone, uuid())).toBeNull()
  })

  test('a fetch with the id of another one is refused, and the other one stays as it is', async () => {
    const { fetches } = at().store
    const [tenant, other] = [newTenant(), newTenant()]
    const made = newFetch(tenant.id)
    await fetches.create(tenant.scope, made, failed)
    await expect(fetches.create(other.scope, { ...newFetch(other.id), id: made.id }, state)).rejects.toThrow()
    expect(await fetches.get(everyone, made.id)).toEqual({ fetch: made, state: failed })
  })

  test('they are listed by id, in pages', async () => {
    const { fetches } = at().store
    const tenant = newTenant()
    const made = numbersTo(5).map(() => newFetch(tenant.id))
    for (const fetch of made) await fetches.create(everyone, fetch, state)
    const known = made.map((fetch) => ({ fetch, state }))
    expect(await fetches.list(tenant.scope, { after: null, limit: 3 })).toEqual({ items: known.slice(0, 3), more: true })
    expect(await fetches.list(tenant.scope, { after: made[2]!.id, limit: 3 })).toEqual({ items: known.slice(3), more: false })
  })

  test('they are counted for each organization, including disabled ones', async () => {
    const { fetches } = at().store
    const [tenant, other] = [newTenant(), newTenant()]
    for (const fetch of [newFetch(tenant.id), newFetch(tenant.id, { enabled: false }), newFetch(other.id)])
      await fetches.create(everyone, fetch, state)
    expect(await fetches.count(everyone, tenant.id)).toBe(2)
    expect(await fetches.count(other.scope, other.id)).toBe(1)
  })

  test('those are failing that are enabled and failed in their last attempt', async () => {
    const { fetches } = at().store
    const tenant = newTenant()
    const [broken, stopped, fine, fresh] = [newFetch(tenant.id), newFetch(tenant.id, { enabled: false }), newFetch(tenant.id), newFetch(tenant.id)]
    for (const [fetch, of] of [
      [broken, failed],
      [stopped, failed],
      [fine, fetched],
      [fresh, state],
    ] as const)
      await fetches.create(everyone, fetch, of)
    expect(await fetches.failing(tenant.scope)).toBe(1)
    await fetches.lease(everyone, broken.id, { holder: 'h', duration: minute })
    await fetches.settle(everyone, broken.id, 'h', fetched, minute)
    expect(await fetches.failing(tenant.scope)).toBe(0)
    await fetches.revise(everyone, { ...stopped, enabled: true, revision: 2 }, null)
    expect(await fetches.failing(tenant.scope)).toBe(1)
  })

  test('only one of several concurrent changes is made', async () => {
    const { store } = at()
    const stores = [store, (await at().second()) ?? store]
    const tenant = newTenant()
    const made = newFetch(tenant.id)
    await store.fetches.create(everyone, made, state)
    const next = (n: number): AlertFetch => ({ ...made, name: `$${n}`, revision: 2 })
    const results = await Promise.all(numbersTo(8).map((n) => stores[n % 2]?.fetches.revise(everyone, next(n), null)))
    expect(results.sort()).toEqual([...Array<string>(7).fill('changed'), 'revised'])
    expect((await store.fetches.get(everyone, made.id))?.fetch).toMatchObject({ name: expect.stringMatching(/^\$\d$/), revision: 2 })
    expect(await store.fetches.revise(everyone, newFetch(tenant.id, { revision: 2 }), null)).toBe('changed')
  })

  test('a change keeps how far it has come, unless it says from when to fetch again', async () => {
    const { fetches } = at().store
    const tenant = newTenant()
    const made = newFetch(tenant.id)
    await fetches.create(everyone, made, failed)
    const next = { ...made, input: { a: '$b' }, revision: 2 }
    expect(await fetches.revise(everyone, next, null)).toBe('revised')
    expect(await fetches.get(everyone, made.id)).toEqual({ fetch: next, state: failed })
    expect(await fetches.revise(everyone, { ...next, revision: 3 }, noon - 5)).toBe('revised')
    expect(await fetches.get(everyone, made.id)).toEqual({ fetch: { ...next, revision: 3 }, state: { ...failed, since: noon - 5 } })
  })

  test('a fetch that was removed is gone', async () => {
    const { fetches } = at().store
    const made = newFetch(newTenant().id)
    await fetches.create(everyone, made, state)
    expect(await fetches.remove(everyone, made.id)).toBe(true)
    expect(await fetches.remove(everyone, made.id)).toBe(false)
    expect(await fetches.get(everyone, made.id)).toBeNull()
    expect(await fetches.lease(everyone, made.id, { holder: 'h', duration: minute })).toBeNull()
  })
}
