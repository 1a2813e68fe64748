import { expect, test } from 'vitest'
import { LaneLoads } from './lane-loads.ts'

test('a lane is heavy with more than eight calls, and the others are light beside it', () => {
  const loads = new LaneLoads()
  loads.add('flood', 8)
  loads.add('other', 1)
  expect([loads.isHeavy('flood'), loads.isBesideLight, loads.isLightBesideHeavy('other')]).toEqual([false, false, false])
  loads.add('flood', 1)
  expect([loads.isHeavy('flood'), loads.isBesideLight]).toEqual([true, true])
  expect(['flood', 'other', 'new', null].map((lane) => loads.isLightBesideHeavy(lane))).toEqual([false, true, true, false])
})

test('calls that have ended count no more, and calls of no lane never count', () => {
  const loads = new LaneLoads()
  loads.add(null, 100)
  loads.add('flood', 9)
  expect([loads.isBesideLight, loads.isLightBesideHeavy('other')]).toEqual([false, true])
  loads.add('other', 2)
  loads.add('other', -2)
  expect(loads.isBesideLight).toBe(false)
  loads.add('flood', -1)
  expect([loads.isHeavy('flood'), loads.isLightBesideHeavy('other')]).toEqual([false, false])
})
