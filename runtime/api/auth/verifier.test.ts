import { beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/clocks/manual-clock.ts'
import { type ApiKey, asId, type KeyId, keyUseSpacing, type Principal, type PrincipalId } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { PrincipalStore } from '../../storage/index.ts'
import { hashKey } from './key.ts'
import { KeyVerifier, keyCacheTtl } from './verifier.ts'

const principal: Principal = {
  id: asId<PrincipalId>('p'),
  name: 'p',
  permissions: ['alerts:write'],
  organizations: [],
  createdAt: 0,
  createdBy: null,
}
const keyOf = (value: string): ApiKey => ({
  id: asId<KeyId>(`id-${value}`),
  principal: principal.id,
  name: value,
  hash: hashKey(value),
  createdAt: 0,
  revokedAt: null,
  expiresAt: null,
  lastUsedAt: null,
})

let keys: Map<string, ApiKey>
let looks: number
/** When uses of keys were noted. */
let uses: string[]
/** Lets a query of the store answer. It returns what the store had when the query was made. */
let answers: (() => void)[] | null
let clock: ManualClock
let started: number
let verifier: KeyVerifier

beforeEach(() => {
  keys = new Map(['a', 'b'].map((value) => [hashKey(value), keyOf(value)]))
  looks = 0
  uses = []
  answers = null
  clock = new ManualClock()
  started = clock.now()
  const principals: Pick<PrincipalStore, 'keyByHash' | 'noteKeyUse'> = {
    keyByHash(_scope, hash) {
      looks++
      const key = keys.get(hash)
      const found = key === undefined ? null : { key, principal }
      return answers === null ? Promise.resolve(found) : new Promise((resolve) => answers?.push(() => resolve(found)))
    },
    async noteKeyUse(_scope, id, at) {
      uses.push(`${id} ${at - started}`)
      for (const [hash, key] of keys) if (key.id === id) keys.set(hash, { ...key, lastUsedAt: at })
    },
  }
  verifier = new KeyVerifier({ principals: principals as PrincipalStore }, clock)
})

test('a known key is answered at once, without asking the store', async () => {
  expect((await verifier.verify('a'))?.principal).toBe(principal)
  const again = verifier.verify('a')
  expect(again).not.toBeInstanceOf(Promise)
  expect(again).toMatchObject({ key: 'id-a', scope: { organizations: [] } })
  expect(looks).toBe(1)
})

test('requests at the same time share one look at the store', async () => {
  const callers = await Promise.all([verifier.verify('a'), verifier.verify('a'), verifier.verify('a')])
  expect(callers.every((caller) => caller?.key === 'id-a')).toBe(true)
  expect(looks).toBe(1)
})

test('a key revoked elsewhere works no longer than the time to live', async () => {
  await verifier.verify('a')
  keys.clear()
  clock.advance(keyCacheTtl - 1)
  expect(await verifier.verify('a')).not.toBeNull()
  clock.advance(1)
  expect(await verifier.verify('a')).toBeNull()
})

test('a key works until it expires, also if it was verified a moment before', async () => {
  keys.set(hashKey('c'), { ...keyOf('c'), expiresAt: started + 1_000 })
  await verifier.verify('c')
  clock.advance(999)
  expect((await verifier.verify('c'))?.key).toBe('id-c')
  expect(verifier.lately('c')?.key).toBe('id-c')
  clock.advance(1)
  expect([verifier.known('c'), verifier.lately('c')]).toEqual([null, null])
  expect(await verifier.verify('c')).toBeNull()
})

test('a use of a key is noted at first, and then once in five minutes', async () => {
  for (let passed = 0; passed <= keyUseSpacing; passed += keyCacheTtl) {
    await verifier.verify('a')
    clock.advance(keyCacheTtl)
  }
  expect(uses).toEqual(['id-a 0', `id-a ${keyUseSpacing}`])
})

test('a clock that goes back makes no key live longer', async () => {
  await verifier.verify('a')
  keys.clear()
  clock.advance(-10_000)
  expect(await verifier.verify('a')).toBeNull()
})

test('a forgotten key is gone at once, and the others stay', async () => {
  await verifier.verify('a')
  await verifier.verify('b')
  keys.delete(hashKey('a'))
  verifier.forget(asId<KeyId>('id-a'))
  expect(await verifier.verify('a')).toBeNull()
  expect(verifier.verify('b')).not.toBeInstanceOf(Promise)
})

test('a look that began before the revocation is not remembered after it', async () => {
  answers = []
  const early = verifier.verify('a')
  keys.delete(hashKey('a'))
  verifier.forget(asId<KeyId>('id-a'))
  for (const answer of answers) answer()
  await early
  answers = null
  expect(await verifier.verify('a')).toBeNull()
})

test('an unknown key is not remembered, so that a key works as soon as it is there', async () => {
  expect(await verifier.verify('c')).toBeNull()
  keys.set(hashKey('c'), keyOf('c'))
  expect(await verifier.verify('c')).not.toBeNull()
})

test('a value longer than any key is refused without a look', () => {
  expect(verifier.verify('x'.repeat(513))).toBeNull()
  expect(looks).toBe(0)
})

test('a store that does not answer is an error, not a refusal, and the next request asks again', async () => {
  const failing = new KeyVerifier(
    {
      principals: {
        noteKeyUse: () => Promise.reject(new TocsinError('store_unavailable', 'down')),
        keyByHash: () =>
          looks++ === 0 ? Promise.reject(new TocsinError('store_unavailable', 'down')) : Promise.resolve({ key: keyOf('a'), principal }),
      } as unknown as PrincipalStore,
    },
    clock,
  )
  await expect(failing.verify('a')).rejects.toThrow('down')
  expect((await failing.verify('a'))?.key).toBe('id-a')
})

test('what is remembered is bounded', async () => {
  for (let index = 0; index < 10_001; index++) keys.set(hashKey(`k${index}`), keyOf(`k${index}`))
  for (let index = 0; index < 10_001; index++) await verifier.verify(`k${index}`)
  expect(verifier.verify('k10000')).not.toBeInstanceOf(Promise)
  expect(verifier.verify('k0')).toBeInstanceOf(Promise)
})
