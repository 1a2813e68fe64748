import { expect } from 'vitest'
import { newConnection, testResult } from '../connections/connections.ts'
import { everyone } from '../fixtures.ts'
import { attempt, type ScopeCases } from './world.ts'

export const connections: ScopeCases<'connections'> = {
  async create({ store, stranger, owner }) {
    for (const connection of [newConnection(owner.id), newConnection(null)]) {
      await attempt(store.connections.create(stranger.scope, connection))
      expect(await store.connections.byId(everyone, [connection.id])).toEqual([])
    }
  },
  async byId({ store, stranger, owner, connection, shared }) {
    expect(await store.connections.byId(stranger.scope, [connection.id, shared.id])).toEqual([shared])
    expect(await store.connections.byId(owner.scope, [connection.id])).toEqual([connection])
  },
  async forOrganization({ store, stranger, owner, connection, shared }) {
    expect(await store.connections.forOrganization(stranger.scope, owner.id)).toEqual([])
    const own = await store.connections.forOrganization(owner.scope, owner.id)
    expect(own).toEqual(expect.arrayContaining([connection, shared]))
    expect(await store.connections.forOrganization(stranger.scope, stranger.id)).not.toContainEqual(connection)
  },
  async list({ store, stranger, owner, connection, shared }) {
    const { items } = await store.connections.list(stranger.scope, { after: null, limit: 500 })
    expect(items).toContainEqual(shared)
    expect(items).not.toContainEqual(connection)
    expect((await store.connections.list(owner.scope, { after: null, limit: 500 })).items).toContainEqual(connection)
  },
  async revise({ store, stranger, owner, connection, shared }) {
    for (const standing of [connection, shared]) {
      for (const organization of [standing.organization, stranger.id, owner.id])
        await attempt(store.connections.revise(stranger.scope, { ...standing, organization, revision: 2 }))
      expect(await store.connections.byId(everyone, [standing.id])).toEqual([standing])
    }
    const own = newConnection(stranger.id)
    await store.connections.create(stranger.scope, own)
    for (const organization of [owner.id, null]) await attempt(store.connections.revise(stranger.scope, { ...own, organization, revision: 2 }))
    expect(await store.connections.byId(everyone, [own.id])).toEqual([own])
  },
  async noteTest({ store, stranger, connection, shared }) {
    for (const standing of [connection, shared]) {
      expect(await store.connections.noteTest(stranger.scope, standing, testResult)).toBe(false)
      expect(await store.connections.byId(everyone, [standing.id])).toEqual([standing])
    }
  },
  async reseal({ store, stranger, connection, shared }) {
    for (const standing of [connection, shared]) {
      expect(await store.connections.reseal(stranger.scope, { ...standing, secrets: {} })).toBe(false)
      expect(await store.connections.byId(everyone, [standing.id])).toEqual([standing])
    }
  },
  async remove({ store, stranger, connection, shared }) {
    for (const { id } of [connection, shared]) {
      expect(await store.connections.remove(stranger.scope, id)).toBe(false)
      expect(await store.connections.byId(everyone, [id])).toHaveLength(1)
    }
  },
}
