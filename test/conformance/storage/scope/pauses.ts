import { expect } from 'vitest'
import { everyone } from '../fixtures.ts'
import { actOf, newPause } from '../guards/pauses.ts'
import { attempt, nothing, type ScopeCases } from './world.ts'

export const pauses: ScopeCases<'pauses'> = {
  async begin({ store, stranger, owner }) {
    const pause = newPause(owner)
    expect(await attempt(store.pauses.begin(stranger.scope, pause))).toBe('refused')
    expect(await store.pauses.get(everyone, pause.id)).toBeNull()
    // A single organization may not pause what concerns all.
    const ofAll = newPause(owner, { kind: 'playbook', playbook: owner.code, owner: null })
    expect(await attempt(store.pauses.begin(owner.scope, ofAll))).toBe('refused')
    expect(await store.pauses.get(everyone, ofAll.id)).toBeNull()
  },
  async end({ store, stranger, owner }) {
    const pause = await store.pauses.begin(owner.scope, newPause(owner))
    expect(await attempt(store.pauses.end(stranger.scope, pause.id, actOf('eve')))).toBeNull()
    const ofAll = await store.pauses.begin(everyone, newPause(owner, { kind: 'playbook', playbook: owner.code, owner: null }))
    expect(await attempt(store.pauses.end(owner.scope, ofAll.id, actOf('eve')))).toBe('refused')
    for (const each of [pause, ofAll]) expect(await store.pauses.get(everyone, each.id)).toEqual(each)
  },
  async standing({ store, stranger, owner }) {
    const pause = await store.pauses.begin(owner.scope, newPause(owner))
    const ofAll = await store.pauses.begin(everyone, newPause(owner, { kind: 'playbook', playbook: owner.code, owner: null }))
    const seen = await store.pauses.standing(stranger.scope)
    expect(seen).not.toContainEqual(pause)
    expect(seen).toContainEqual(ofAll)
    expect(await store.pauses.standing(owner.scope)).toContainEqual(pause)
  },
  async get({ store, stranger, owner }) {
    const pause = await store.pauses.begin(owner.scope, newPause(owner))
    expect(await store.pauses.get(stranger.scope, pause.id)).toBeNull()
    expect(await store.pauses.get(owner.scope, pause.id)).toEqual(pause)
  },
  async list({ store, stranger, owner }) {
    const pause = await store.pauses.begin(owner.scope, newPause(owner))
    expect(await store.pauses.list({ organizations: [] }, { after: { pausedAt: 1, id: pause.id }, limit: 9 })).toEqual(nothing)
    expect((await store.pauses.list(stranger.scope, { after: null, limit: 99 })).items).not.toContainEqual(pause)
    expect((await store.pauses.list(owner.scope, { after: null, limit: 99 })).items).toContainEqual(pause)
  },
}
