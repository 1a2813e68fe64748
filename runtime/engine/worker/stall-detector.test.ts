import { beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/clocks/manual-clock.ts'
import { StallDetector } from './stall-detector.ts'

let clock: ManualClock
let hearing: StallDetector

beforeEach(() => {
  clock = new ManualClock()
  hearing = new StallDetector(clock)
})

test('a process that works normally sees the heartbeats of others', async () => {
  for (let tick = 0; tick < 5; tick += 1) {
    hearing.tick(2_000)
    await hearing.measure(async () => clock.advance(1_000))
    expect(hearing.trusted).toBe(true)
    clock.advance(2_000)
  }
})

test('a process that stalled gives the others ten seconds', () => {
  hearing.tick(2_000)
  clock.advance(6_001)
  hearing.tick(2_000)
  expect(hearing.trusted).toBe(false)
  clock.advance(9_999)
  expect(hearing.trusted).toBe(false)
  clock.advance(1)
  expect(hearing.trusted).toBe(true)
})

test('a process whose store was slow gives them ten seconds from then on', async () => {
  await hearing.measure(async () => clock.advance(4_001))
  expect(hearing.trusted).toBe(false)
  clock.advance(10_000)
  expect(hearing.trusted).toBe(true)
})

test('it still judges after a clock was set back', () => {
  hearing.noteStall()
  clock.advance(-3_600_000)
  expect(hearing.trusted).toBe(true)
})
