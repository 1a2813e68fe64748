import { expect } from 'vitest'
import { newAgent } from '../connections/agents.ts'
import { everyone, noon, uuid } from '../fixtures.ts'
import { attempt, nothing, type ScopeCases, type World } from './world.ts'

/** An agent of the organization, and one of the operator. */
async function two({ store, owner }: World) {
  const agents = [newAgent(owner.id), newAgent(null)] as const
  for (const agent of agents) await store.agents.create(everyone, agent)
  return agents
}

export const agents: ScopeCases<'agents'> = {
  async create({ store, stranger, owner }) {
    for (const agent of [newAgent(owner.id), newAgent(null)]) {
      expect(await attempt(store.agents.create(stranger.scope, agent))).toBe('refused')
      expect(await store.agents.byId(everyone, [agent.id])).toEqual([])
    }
  },
  async byId(world) {
    const [own, operators] = await two(world)
    const ids = [own.id, operators.id]
    expect(await world.store.agents.byId(world.stranger.scope, ids)).toEqual([])
    expect(await world.store.agents.byId(world.owner.scope, ids)).toEqual([own])
  },
  async list(world) {
    const [own, operators] = await two(world)
    expect(await world.store.agents.list(world.stranger.scope, { after: null, limit: 9 })).toEqual(nothing)
    const { items } = await world.store.agents.list(world.owner.scope, { after: null, limit: 99 })
    expect(items).toContainEqual(own)
    expect(items).not.toContainEqual(operators)
  },
  async count(world) {
    await two(world)
    expect(await world.store.agents.count(world.stranger.scope, world.owner.id)).toBe(0)
    expect(await world.store.agents.count(world.owner.scope, null)).toBe(0)
  },
  async enrol(world) {
    for (const agent of await two(world)) {
      expect(await world.store.agents.enrol(world.stranger.scope, agent.enrolment!.hash, uuid(), noon)).toBeNull()
      expect(await world.store.agents.byId(everyone, [agent.id])).toEqual([agent])
    }
  },
  async byToken(world) {
    for (const agent of await two(world)) {
      expect(await world.store.agents.byToken(world.stranger.scope, agent.enrolment!.hash, noon)).toBeNull()
      expect(await world.store.agents.byToken(everyone, agent.enrolment!.hash, noon)).toEqual(agent)
    }
  },
  async byKey(world) {
    for (const agent of await two(world)) {
      const key = uuid()
      await world.store.agents.enrol(everyone, agent.enrolment!.hash, key, noon)
      expect(await world.store.agents.byKey(world.stranger.scope, key)).toBeNull()
      expect(await world.store.agents.byKey(everyone, key)).not.toBeNull()
    }
  },
  async revoke(world) {
    for (const agent of await two(world)) {
      expect(await world.store.agents.revoke(world.stranger.scope, agent.id, noon)).toBeNull()
      expect(await world.store.agents.byId(everyone, [agent.id])).toEqual([agent])
    }
  },
  async noteSeen(world) {
    for (const agent of await two(world)) {
      await world.store.agents.noteSeen(world.stranger.scope, agent.id, { at: noon, version: '1' })
      expect(await world.store.agents.byId(everyone, [agent.id])).toEqual([agent])
    }
  },
}
