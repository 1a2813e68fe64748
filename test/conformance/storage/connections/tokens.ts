import { expect, test } from 'vitest'
import type { Connection, KeptToken, TokenRefusal } from '../../../../runtime/domain/index.ts'
import type { TokenLease } from '../../../../runtime/storage/index.ts'
import { everyone, newTenant, noon, numbersTo, uuid } from '../fixtures.ts'
import type { At } from '../harness.ts'
import { newConnection } from './connections.ts'

const minute = 60_000

export function tokenOf(data: string, expiresAt: number | null = null): Omit<KeptToken, 'version'> {
  return { sealed: { v: 1, key: 'k1', data }, expiresAt }
}

export function leaseOf(parts: Partial<TokenLease> = {}): TokenLease {
  return { seen: 0, holder: uuid(), duration: minute, anew: false, ...parts }
}

export const tokenRefusal: TokenRefusal = { code: 'token_refused', message: '$wrong', remedy: null, vendor: { status: 400 } }

export function tokenCases(at: At): void {
  async function connected(parts: Partial<Connection> = {}): Promise<Connection> {
    const connection = newConnection(newTenant().id, parts)
    await at().store.connections.create(everyone, connection)
    return connection
  }
  /** Returns a connection with a token of version 1. */
  async function holding(token = tokenOf('one')): Promise<Connection> {
    const { tokens } = at().store
    const connection = await connected()
    await tokens.lease(everyone, connection, leaseOf({ holder: 'first' }))
    await tokens.put(everyone, connection, 'first', token)
    return connection
  }

  test('a connection has no token before one is stored; then it has that one, also after a restart', async () => {
    const connection = await connected()
    expect(await at().store.tokens.get(everyone, connection)).toBeNull()
    expect(await at().store.tokens.lease(everyone, connection, leaseOf({ holder: 'a' }))).toEqual({ kind: 'taken' })
    expect(await at().store.tokens.get(everyone, connection)).toBeNull()
    const kept = { version: 1, ...tokenOf('one', noon) }
    expect(await at().store.tokens.put(everyone, connection, 'a', tokenOf('one', noon))).toEqual(kept)
    expect(await at().store.tokens.get(everyone, connection)).toEqual(kept)
    await at().reopen()
    expect(await at().store.tokens.get(everyone, connection)).toEqual(kept)
    expect(await at().store.connections.byId(everyone, [connection.id])).toEqual([connection])
  })

  test('only one of many callers gets the lease', async () => {
    const { store } = at()
    const stores = [store, (await at().second()) ?? store]
    const connection = await connected()
    const results = await Promise.all(numbersTo(12).map((n) => stores[n % 2]?.tokens.lease(everyone, connection, leaseOf())))
    expect(results.map((result) => result?.kind).sort()).toEqual([...Array<string>(11).fill('held'), 'taken'])
  })

  test('a caller that saw an older token gets the newer one; a caller that saw the newer one may renew it', async () => {
    const { tokens } = at().store
    const connection = await holding()
    const one = { version: 1, ...tokenOf('one') }
    expect(await tokens.lease(everyone, connection, leaseOf())).toEqual({ kind: 'newer', token: one })
    expect(await tokens.lease(everyone, connection, leaseOf({ seen: 1, holder: 'b' }))).toEqual({ kind: 'taken' })
    expect(await tokens.get(everyone, connection)).toEqual(one)
    expect(await tokens.lease(everyone, connection, leaseOf())).toEqual({ kind: 'newer', token: one })
    const two = { version: 2, ...tokenOf('two') }
    expect(await tokens.put(everyone, connection, 'b', tokenOf('two'))).toEqual(two)
    expect(await tokens.lease(everyone, connection, leaseOf({ seen: 1 }))).toEqual({ kind: 'newer', token: two })
  })

  test('an expired lease is taken over, and its old holder can no longer store a token', async () => {
    const { tokens } = at().store
    const connection = await connected()
    await tokens.lease(everyone, connection, leaseOf({ holder: 'dead' }))
    expect(await tokens.lease(everyone, connection, leaseOf())).toEqual({ kind: 'held' })
    await at().pass(2 * minute)
    expect(await tokens.lease(everyone, connection, leaseOf({ holder: 'heir' }))).toEqual({ kind: 'taken' })
    expect(await tokens.put(everyone, connection, 'dead', tokenOf('late'))).toBeNull()
    await tokens.release(everyone, connection, 'dead', { refusal: tokenRefusal, duration: minute })
    expect(await tokens.lease(everyone, connection, leaseOf())).toEqual({ kind: 'held' })
    expect(await tokens.put(everyone, connection, 'heir', tokenOf('one'))).toMatchObject({ version: 1 })
    expect(await tokens.put(everyone, connection, 'heir', tokenOf('again'))).toBeNull()
  })

  test('a slow holder may store its token as long as nobody else has taken the lease', async () => {
    const { tokens } = at().store
    const connection = await connected()
    await tokens.lease(everyone, connection, leaseOf({ holder: 'slow' }))
    await at().pass(2 * minute)
    expect(await tokens.put(everyone, connection, 'slow', tokenOf('one'))).toMatchObject({ version: 1 })
  })

  test('a released lease is free at once', async () => {
    const { tokens } = at().store
    const connection = await holding()
    await tokens.lease(everyone, connection, leaseOf({ seen: 1, holder: 'a' }))
    await tokens.release(everyone, connection, 'a', null)
    expect(await tokens.get(everyone, connection)).toMatchObject({ version: 1 })
    expect(await tokens.lease(everyone, connection, leaseOf({ seen: 1 }))).toEqual({ kind: 'taken' })
  })

  test('a refusal is remembered for its duration, except with `anew`; the stored token stays', async () => {
    const { tokens } = at().store
    const connection = await holding()
    const refuse = async (anew: boolean): Promise<void> => {
      expect(await tokens.lease(everyone, connection, leaseOf({ seen: 1, holder: 'a', anew }))).toEqual({ kind: 'taken' })
      await tokens.release(everyone, connection, 'a', { refusal: tokenRefusal, duration: minute })
      expect(await tokens.lease(everyone, connection, leaseOf({ seen: 1 }))).toEqual({ kind: 'refused', refusal: tokenRefusal })
      expect(await tokens.get(everyone, connection)).toMatchObject({ version: 1 })
    }
    await refuse(false)
    await refuse(true)
    await at().pass(2 * minute)
    await refuse(false)
    await tokens.lease(everyone, connection, leaseOf({ seen: 1, holder: 'b', anew: true }))
    await tokens.put(everyone, connection, 'b', tokenOf('two'))
    expect(await tokens.lease(everyone, connection, leaseOf({ seen: 2 }))).toEqual({ kind: 'taken' })
  })

  test.each([
    [
      'changed',
      async (connection: Connection) => expect(await at().store.connections.revise(everyone, { ...connection, revision: 2 })).toBe('revised'),
    ],
    ['removed', async (connection: Connection) => expect(await at().store.connections.remove(everyone, connection.id)).toBe(true)],
  ])('with a connection that was %s, token, lease and refusal are gone', async (_, change) => {
    const { tokens } = at().store
    const [token, lease, refusal] = [await holding(), await connected(), await connected()]
    await tokens.lease(everyone, token, leaseOf({ seen: 1, holder: 'renewing' }))
    await tokens.lease(everyone, lease, leaseOf({ holder: 'renewing' }))
    await tokens.lease(everyone, refusal, leaseOf({ holder: 'a' }))
    await tokens.release(everyone, refusal, 'a', { refusal: tokenRefusal, duration: minute })
    for (const connection of [token, lease, refusal]) {
      await change(connection)
      expect(await tokens.get(everyone, connection)).toBeNull()
      expect(await tokens.put(everyone, connection, 'renewing', tokenOf('late'))).toBeNull()
      expect(await tokens.lease(everyone, connection, leaseOf())).toEqual({ kind: 'gone' })
      const next = { ...connection, revision: 2 }
      expect(await tokens.get(everyone, next)).toBeNull()
      if (_ === 'changed') expect(await tokens.lease(everyone, next, leaseOf())).toEqual({ kind: 'taken' })
    }
  })

  test('storing a test result does not change the token', async () => {
    const { store } = at()
    const connection = await holding()
    const result = { ok: true, status: 200, code: null, cause: null, remedy: null, checkedAt: noon, reachable: null, reachableNote: null, role: null }
    expect(await store.connections.noteTest(everyone, connection, result)).toBe(true)
    expect(await store.tokens.get(everyone, connection)).toMatchObject({ version: 1 })
    expect(await store.connections.byId(everyone, [connection.id])).toEqual([{ ...connection, lastTest: result }])
    expect(await store.connections.forOrganization(everyone, connection.organization ?? uuid())).toContainEqual({ ...connection, lastTest: result })
  })
}
