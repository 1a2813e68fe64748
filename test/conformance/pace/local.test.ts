import { expect, test } from 'vitest'
import { asId } from '../../../runtime/domain/index.ts'
import { LocalPace } from '../../../runtime/pace/index.ts'
import { ManualClock } from '../../support/clocks/manual-clock.ts'
import { paceConformance, slow } from './suite.ts'

paceConformance('in process', async () => new LocalPace(new ManualClock()))

test('connections that nothing counts of are forgotten, and no others', async () => {
  const clock = new ManualClock()
  const pace = new LocalPace(clock)
  await pace.hold(asId('held'), slow, 10_000_000)
  for (let number = 0; number < 1_000; number += 1) await pace.take(asId(String(number)), slow, 3, 0)
  clock.advance(1_000_000)
  await pace.take(asId('new'), slow, 1, 0)
  expect(await pace.heldFor(asId('held'))).toBe(9_000_000)
  expect((await pace.take(asId('7'), slow, 5, 0)).delays).toEqual([0, 0, 0])
})
