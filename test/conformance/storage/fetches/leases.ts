import { expect, test } from 'vitest'
import { newFetchState } from '../../../../runtime/domain/index.ts'
import { everyone, newTenant, noon, numbersTo } from '../fixtures.ts'
import type { At } from '../harness.ts'
import { failed, fetched, newFetch } from './made.ts'

const minute = 60_000
const state = newFetchState(noon)
const by = (holder: string, duration = minute) => ({ holder, duration })

export function fetchLeaseCases(at: At): void {
  /** Returns a new fetch, and what is due of its organization. */
  const arranged = async () => {
    const { fetches } = at().store
    const tenant = newTenant()
    const made = newFetch(tenant.id)
    await fetches.create(everyone, made, state)
    return { fetches, tenant, made, due: (limit = 9) => at().store.fetches.due(tenant.scope, limit) }
  }

  test('a new fetch is due at once, and those due longest come first', async () => {
    const { fetches, tenant, made, due } = await arranged()
    await at().pass(5)
    const second = newFetch(tenant.id)
    await fetches.create(everyone, second, state)
    expect(await due()).toEqual([made.id, second.id])
    expect(await due(1)).toEqual([made.id])
    await fetches.hurry(everyone, made.id, 0)
    expect(await due()).toEqual([made.id, second.id])
  })

  test('one of several concurrent leases gets a fetch, and until it ends nobody else does', async () => {
    const { fetches, made, due } = await arranged()
    const stores = [fetches, (await at().second())?.fetches ?? fetches]
    const leased = await Promise.all(numbersTo(8).map((n) => stores[n % 2]?.lease(everyone, made.id, by(`h${n}`))))
    expect(leased.filter((one) => one !== null)).toEqual([{ fetch: made, state }])
    expect(await due()).toEqual([])
    expect(await fetches.lease(everyone, made.id, by('late'))).toBeNull()
  })

  test('while somebody has the lease, a fetch says since when', async () => {
    const { fetches, tenant, made } = await arranged()
    const begun = async () => (await fetches.get(tenant.scope, made.id))?.begunAt
    expect(await begun()).toBeUndefined()
    await fetches.lease(everyone, made.id, by('h'))
    const since = await begun()
    expect(since).toEqual(expect.any(Number))
    await at().pass(30_000)
    await fetches.extend(everyone, made.id, by('h'))
    expect((await fetches.list(tenant.scope, { after: null, limit: 1 })).items).toEqual([{ fetch: made, state, begunAt: since }])
    await at().pass(minute)
    expect(await begun()).toBeUndefined()
    await fetches.lease(everyone, made.id, by('next'))
    expect(await begun()).toBeGreaterThan(since ?? 0)
    await fetches.settle(everyone, made.id, 'next', fetched, minute)
    expect(await begun()).toBeUndefined()
  })

  test('a settled attempt shows how far it came, and the fetch is due again after the delay', async () => {
    const { fetches, made, due } = await arranged()
    await fetches.lease(everyone, made.id, by('h'))
    expect(await fetches.settle(everyone, made.id, 'another', failed, 0)).toBe(false)
    expect(await fetches.settle(everyone, made.id, 'h', fetched, minute)).toBe(true)
    expect(await fetches.get(everyone, made.id)).toEqual({ fetch: made, state: fetched })
    expect(await fetches.settle(everyone, made.id, 'h', failed, 0)).toBe(false)
    expect(await due()).toEqual([])
    await at().pass(minute)
    expect(await due()).toEqual([made.id])
    expect(await fetches.lease(everyone, made.id, by('next'))).toEqual({ fetch: made, state: fetched })
  })

  test('whoever takes a lease that is over keeps the first from settling and extending', async () => {
    const { fetches, made, due } = await arranged()
    await fetches.lease(everyone, made.id, by('first'))
    await at().pass(minute)
    expect(await due()).toEqual([made.id])
    expect(await fetches.extend(everyone, made.id, by('first'))).toBe(false)
    expect(await fetches.lease(everyone, made.id, by('second'))).not.toBeNull()
    expect(await fetches.settle(everyone, made.id, 'first', fetched, minute)).toBe(false)
    expect(await fetches.extend(everyone, made.id, by('first'))).toBe(false)
    expect(await fetches.settle(everyone, made.id, 'second', failed, minute)).toBe(true)
  })

  test('an extended lease lasts longer', async () => {
    const { fetches, made, due } = await arranged()
    await fetches.lease(everyone, made.id, by('h'))
    expect(await fetches.extend(everyone, made.id, by('h', 3 * minute))).toBe(true)
    await at().pass(minute)
    expect(await due()).toEqual([])
    await at().pass(2 * minute)
    expect(await due()).toEqual([made.id])
  })

  test('a change ends the lease and makes the fetch due', async () => {
    const { fetches, made, due } = await arranged()
    await fetches.lease(everyone, made.id, by('h'))
    await fetches.revise(everyone, { ...made, revision: 2 }, noon - 9)
    expect(await due()).toEqual([made.id])
    expect(await fetches.settle(everyone, made.id, 'h', fetched, minute)).toBe(false)
    expect((await fetches.get(everyone, made.id))?.state.since).toBe(noon - 9)
  })

  test('a disabled fetch is not due and not leased, until it is enabled', async () => {
    const { fetches, made, due } = await arranged()
    await fetches.revise(everyone, { ...made, enabled: false, revision: 2 }, null)
    expect(await due()).toEqual([])
    expect(await fetches.lease(everyone, made.id, by('h'))).toBeNull()
    await fetches.revise(everyone, { ...made, revision: 3 }, null)
    expect(await due()).toEqual([made.id])
  })

  test('a fetch that waits is due at once if somebody asks for it, and an attempt under way goes on', async () => {
    const { fetches, made, due } = await arranged()
    await fetches.lease(everyone, made.id, by('h'))
    expect(await fetches.hurry(everyone, made.id, 0)).toBe(true)
    expect(await due()).toEqual([])
    await fetches.settle(everyone, made.id, 'h', fetched, minute)
    expect(await due()).toEqual([])
    expect(await fetches.hurry(everyone, made.id, 0)).toBe(true)
    expect(await due()).toEqual([made.id])
    await fetches.remove(everyone, made.id)
    expect(await fetches.hurry(everyone, made.id, 0)).toBe(false)
  })

  test('however often people ask, the next attempt begins a while after the last one, also if its clock was ahead', async () => {
    const { fetches, made, due } = await arranged()
    await fetches.lease(everyone, made.id, by('h'))
    const ahead = { ...fetched, last: fetched.last && { ...fetched.last, endedAt: noon * 2 } }
    await fetches.settle(everyone, made.id, 'h', ahead, minute)
    expect(await fetches.hurry(everyone, made.id, minute)).toBe(true)
    expect(await due()).toEqual([])
    // Some stores measure real time, and a busy machine may take longer than 20 ms to look.
    expect(await fetches.hurry(everyone, made.id, 20)).toBe(true)
    await at().pass(30)
    expect(await due()).toEqual([made.id])
  })
}
