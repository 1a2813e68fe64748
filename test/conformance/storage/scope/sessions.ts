import { expect } from 'vitest'
import { everyone, openSession, uuid } from '../fixtures.ts'
import type { ScopeCases } from './world.ts'

/** Sessions belong to the installation. They hold no data of a tenant, so scopes do not matter for them. */
export const sessions: ScopeCases<'sessions'> = {
  async open({ store, stranger }) {
    await store.sessions.open(stranger.scope, { id: uuid(), host: 'h', pid: 1 })
  },
  async heartbeat({ store, stranger }) {
    expect(await store.sessions.heartbeat(stranger.scope, await openSession(store))).toBe(true)
  },
  async close({ store, stranger }) {
    const session = await openSession(store)
    await store.sessions.close(stranger.scope, session)
    expect(await store.sessions.heartbeat(everyone, session)).toBe(false)
  },
  async bury({ store, stranger }) {
    expect(await store.sessions.bury(stranger.scope, 3_600_000)).toBe(0)
  },
}
