import { expect } from 'vitest'
import { everyone, newPrincipal, noon, uuid } from '../fixtures.ts'
import type { ScopeCases } from './world.ts'

/** Providers belong to the whole platform, so every scope sees all of them. */
export const providers: ScopeCases<'providers'> = {
  async create({ store, stranger }) {
    const provider = { code: uuid(), name: 'x', createdAt: noon, createdBy: newPrincipal('all').id }
    expect(await store.providers.create(stranger.scope, provider)).toBe('created')
  },
  async byCode({ store, stranger, owner }) {
    const provider = { code: uuid(), name: 'x', createdAt: noon, createdBy: newPrincipal('all').id }
    await store.providers.create(everyone, provider)
    for (const { scope } of [stranger, owner]) expect(await store.providers.byCode(scope, [provider.code])).toEqual([provider])
  },
  async list({ store, stranger, owner }) {
    const [mine, theirs] = await Promise.all([stranger, owner].map(({ scope }) => store.providers.list(scope, { after: null, limit: 500 })))
    expect(mine?.items.length).toBeGreaterThan(0)
    expect(mine).toEqual(theirs)
  },
}
