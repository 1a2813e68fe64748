import { expect } from 'vitest'
import { everyone } from '../fixtures.ts'
import { bypass, quotaCall } from '../guards/quotas.ts'
import { attempt, type ScopeCases } from './world.ts'

const spans = [{ skill: bypass, per: 60_000 }]

export const quotas: ScopeCases<'quotas'> = {
  async count({ store, stranger, owner }) {
    const before = await store.quotas.usage(everyone, null, spans)
    expect(await attempt(store.quotas.count(stranger.scope, quotaCall(owner)))).toBe('refused')
    expect(await attempt(store.quotas.count(stranger.scope, quotaCall(null)))).toBe('refused')
    expect(await store.quotas.usage(everyone, owner.id, spans)).toEqual([{ calls: 0, since: null }])
    expect(await store.quotas.usage(everyone, null, spans)).toEqual(before)
  },
  async usage({ store, stranger, owner }) {
    await store.quotas.count(owner.scope, quotaCall(owner))
    await store.quotas.count(everyone, quotaCall(null))
    expect(await store.quotas.usage(owner.scope, owner.id, spans)).toMatchObject([{ calls: 1 }])
    for (const organization of [owner.id, null])
      expect(await store.quotas.usage(stranger.scope, organization, spans)).toEqual([{ calls: 0, since: null }])
  },
}
