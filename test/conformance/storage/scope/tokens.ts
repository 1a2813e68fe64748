import { expect } from 'vitest'
import { leaseOf, tokenOf, tokenRefusal } from '../connections/tokens.ts'
import { everyone } from '../fixtures.ts'
import { attempt, type ScopeCases } from './world.ts'

/** A scope that sees a connection uses and renews its token. A shared connection acts for every organization. */
export const tokens: ScopeCases<'tokens'> = {
  async get({ store, stranger, owner, connection, shared }) {
    for (const one of [connection, shared]) {
      await store.tokens.lease(everyone, one, leaseOf({ holder: 'a' }))
      await store.tokens.put(everyone, one, 'a', tokenOf('one'))
      expect(await store.tokens.get(owner.scope, one)).toMatchObject({ version: 1 })
    }
    expect(await store.tokens.get(stranger.scope, connection)).toBeNull()
    expect(await store.tokens.get(stranger.scope, shared)).toMatchObject({ version: 1 })
  },
  async lease({ store, stranger, owner, connection, shared }) {
    expect(await store.tokens.lease(stranger.scope, connection, leaseOf())).toEqual({ kind: 'gone' })
    expect(await store.tokens.lease(owner.scope, connection, leaseOf())).toEqual({ kind: 'taken' })
    expect(await store.tokens.lease(stranger.scope, shared, leaseOf())).toEqual({ kind: 'taken' })
  },
  async put({ store, stranger, owner, connection, shared }) {
    for (const one of [connection, shared]) await store.tokens.lease(everyone, one, leaseOf({ holder: 'a' }))
    expect(await store.tokens.put(stranger.scope, connection, 'a', tokenOf('theirs'))).toBeNull()
    expect(await store.tokens.get(everyone, connection)).toBeNull()
    expect(await store.tokens.put(owner.scope, connection, 'a', tokenOf('own'))).toMatchObject({ version: 1 })
    expect(await store.tokens.put(stranger.scope, shared, 'a', tokenOf('own'))).toMatchObject({ version: 1 })
  },
  async release({ store, stranger, owner, connection }) {
    await store.tokens.lease(everyone, connection, leaseOf({ holder: 'a' }))
    await attempt(store.tokens.release(stranger.scope, connection, 'a', { refusal: tokenRefusal, duration: 60_000 }))
    expect(await store.tokens.lease(owner.scope, connection, leaseOf())).toEqual({ kind: 'held' })
  },
}
