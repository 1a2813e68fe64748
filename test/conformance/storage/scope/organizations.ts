import { expect } from 'vitest'
import { everyone, organizationOf } from '../fixtures.ts'
import { attempt, nothing, type ScopeCases } from './world.ts'

export const organizations: ScopeCases<'organizations'> = {
  async create({ store, stranger }) {
    await attempt(store.organizations.create(stranger.scope, organizationOf(stranger)))
    expect(await store.organizations.byId(everyone, [stranger.id])).toEqual([])
  },
  async byCode({ store, stranger, owner, organization }) {
    expect(await store.organizations.byCode(stranger.scope, [owner.code])).toEqual([])
    expect(await store.organizations.byCode(owner.scope, [owner.code])).toEqual([organization])
  },
  async byId({ store, stranger, owner, organization }) {
    expect(await store.organizations.byId(stranger.scope, [owner.id])).toEqual([])
    expect(await store.organizations.byId(owner.scope, [owner.id])).toEqual([organization])
  },
  async list({ store, stranger, owner, organization }) {
    expect(await store.organizations.list(stranger.scope, { after: null, limit: 9 })).toEqual(nothing)
    expect(await store.organizations.list(owner.scope, { after: null, limit: 9 })).toEqual({ items: [organization], more: false })
  },
}
