import { expect } from 'vitest'
import { closedAs } from '../../../../runtime/domain/index.ts'
import { newDecision } from '../decisions/decisions.ts'
import { ended, everyone, noon } from '../fixtures.ts'
import { attempt, nothing, type ScopeCases } from './world.ts'

export const decisions: ScopeCases<'decisions'> = {
  async open({ store, stranger, owner }) {
    const decision = newDecision(owner)
    await attempt(store.decisions.open(stranger.scope, decision))
    expect(await store.decisions.get(everyone, decision.id)).toBeNull()
  },
  async get({ store, stranger, owner, decision }) {
    expect(await store.decisions.get(stranger.scope, decision.id)).toBeNull()
    expect(await store.decisions.get(owner.scope, decision.id)).toEqual(decision)
  },
  async list({ store, stranger, owner, decision }) {
    for (const parts of [{}, { organizations: [owner.id] }, { runs: [decision.run] }])
      expect(await store.decisions.list(stranger.scope, { after: null, limit: 9, ...parts })).toEqual(nothing)
    expect(await store.decisions.list(owner.scope, { after: null, limit: 9 })).toEqual({ items: [decision], more: false })
  },
  async byDeadline({ store, stranger, owner, decision }) {
    for (const parts of [{}, { organizations: [owner.id] }, { runs: [decision.run] }])
      expect(await store.decisions.byDeadline(stranger.scope, { after: null, limit: 9, ...parts })).toEqual(nothing)
    expect(await store.decisions.byDeadline(owner.scope, { after: null, limit: 9 })).toEqual({ items: [decision], more: false })
  },
  async revise({ store, stranger, decision }) {
    expect(await attempt(store.decisions.revise(stranger.scope, closedAs(decision, 'withdrawn', noon)))).not.toBe('revised')
    expect(await store.decisions.get(everyone, decision.id)).toEqual(decision)
  },
  async untold({ store, stranger, owner, decision }) {
    const closed = closedAs(decision, 'withdrawn', noon)
    await store.decisions.revise(owner.scope, closed)
    expect(await store.decisions.untold(stranger.scope, 9)).toEqual([])
    expect(await store.decisions.untold(owner.scope, 9)).toEqual([closed])
  },
  async told({ store, stranger, owner, decision }) {
    await store.decisions.revise(owner.scope, closedAs(decision, 'withdrawn', noon))
    await attempt(store.decisions.told(stranger.scope, decision.id))
    expect(await store.decisions.untold(owner.scope, 9)).toHaveLength(1)
  },
  async waiting({ store, stranger, owner }) {
    const quota = await store.decisions.open(owner.scope, newDecision(owner, { kind: 'quota' }))
    const skill = quota.actions[0]?.skill ?? ''
    expect(await store.decisions.waiting(stranger.scope, owner.id, skill)).toBe(0)
    expect(await store.decisions.waiting(owner.scope, owner.id, skill)).toBe(1)
  },
  async left({ store, stranger, owner }) {
    const { claimed } = await ended(store, owner)
    const left = await store.decisions.open(owner.scope, newDecision(owner, { run: claimed.run.id }))
    expect(await store.decisions.left(stranger.scope, 9)).toEqual([])
    expect(await store.decisions.left(owner.scope, 9)).toEqual([left])
  },
}
