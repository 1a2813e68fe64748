import { expect, test } from 'vitest'
import { asId } from '../../../runtime/domain/index.ts'
import { LocalPermitSource } from '../../../runtime/rate-limit/index.ts'
import { ManualClock } from '../../support/clocks/manual-clock.ts'
import { permitConformance, slow } from './suite.ts'

permitConformance('in process', async () => new LocalPermitSource(new ManualClock()))

test('idle keys are forgotten, and no others', async () => {
  const clock = new ManualClock()
  const source = new LocalPermitSource(clock)
  await source.hold(asId('held'), slow, 10_000_000)
  for (let number = 0; number < 1_000; number += 1) await source.take(asId(String(number)), slow, 3, 0)
  clock.advance(1_000_000)
  await source.take(asId('new'), slow, 1, 0)
  expect(await source.heldFor(asId('held'))).toBe(9_000_000)
  expect((await source.take(asId('7'), slow, 5, 0)).delays).toEqual([0, 0, 0])
})
