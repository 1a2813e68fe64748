import { expect } from 'vitest'
import { newAct } from '../access/acts.ts'
import { everyone } from '../fixtures.ts'
import { attempt, nothing, type ScopeCases } from './world.ts'

/** The audit log belongs to those who run the installation. */
export const acts: ScopeCases<'acts'> = {
  async add({ store, owner }) {
    const act = newAct()
    expect(await attempt(store.acts.add(owner.scope, act))).toBe('refused')
    expect(await store.acts.list(everyone, { by: act.principal, after: null, limit: 9 })).toEqual(nothing)
  },
  async list({ store, owner }) {
    const act = newAct()
    await store.acts.add(everyone, act)
    expect(await store.acts.list(owner.scope, { by: act.principal, after: null, limit: 9 })).toEqual(nothing)
    expect(await store.acts.list(everyone, { by: act.principal, after: null, limit: 9 })).toEqual({ items: [act], more: false })
  },
}
