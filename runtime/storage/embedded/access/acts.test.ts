import { expect, test } from 'vitest'
import { newAct } from '../../../../test/conformance/storage/access/acts.ts'
import { ManualClock } from '../../../../test/support/clocks/manual-clock.ts'
import { actsKeptFor, systemScope } from '../../../domain/index.ts'
import { openMemoryStore } from '../memory.ts'

test('acts are deleted when they are too old, with what they are found by, and newer ones stay', async () => {
  const clock = new ManualClock()
  const { acts, close } = openMemoryStore(clock)
  const made = Array.from({ length: 10 }, (_, n) => newAct({ at: clock.now() + n, on: { connection: 'c-1' } }))
  for (const act of made) await acts.add(systemScope, act)
  const list = async (filter: object) => (await acts.list(systemScope, { ...filter, after: null, limit: 99 })).items
  clock.advance(actsKeptFor + 5)
  const late = [0, 1, 2].map(() => newAct({ at: clock.now() }))
  for (const act of late) await acts.add(systemScope, act)
  expect(new Set(await list({}))).toEqual(new Set([...late, ...made.slice(5)]))
  expect(await list({ about: 'c-1' })).toEqual(made.slice(5).toReversed())
  await close()
})
