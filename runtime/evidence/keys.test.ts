import { expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import { createEvidenceSigner, createVault } from '../connection/index.ts'
import { openMemoryStore } from '../storage/embedded/index.ts'
import { EvidenceKeys } from './keys.ts'

const publicKey = (byte: number): string => createEvidenceSigner(createVault(Buffer.alloc(32, byte))).publicKey

test('the store keeps every key, also when the vault key changes and several processes start at once', async () => {
  const clock = new ManualClock()
  const store = openMemoryStore(clock)
  const first = clock.now()
  const keysOf = (byte: number): EvidenceKeys => new EvidenceKeys(store, clock, publicKey(byte))
  await Promise.all([keysOf(1).known(), keysOf(1).known()])
  await clock.advance(1_000)
  await Promise.all([keysOf(2).known(), keysOf(2).known(), keysOf(2).known()])
  await clock.advance(1_000)
  const known = await keysOf(1).known()
  expect(known.map(({ key, since }) => [key.x, since])).toEqual([
    [publicKey(2), first + 1_000],
    [publicKey(1), first],
  ])
  await store.close()
})
