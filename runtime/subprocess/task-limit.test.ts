import { beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import { processorTimeOf } from './processor-time.ts'
import { TaskLimit } from './task-limit.ts'

let clock: ManualClock
let over: number

beforeEach(() => {
  clock = new ManualClock(0)
  over = 0
})

/** A limit of ten seconds. `share` is the part of the time in which the process gets a processor; null: the system does not tell. */
const limitOf = (share: number | null) =>
  new TaskLimit({
    clock,
    limit: 10_000,
    processorTime: () => (share === null ? null : clock.now() * share),
    over: () => {
      over += 1
    },
  })

test.each([
  ['a process that has a processor for itself', 1, 10_000],
  ['a process of which nothing is known', null, 10_000],
  ['a process with half of a processor', 0.5, 20_000],
  ['a process with hardly any processor', 0.01, 40_000],
  ['a process that uses several processors', 2, 10_000],
])('%s', (_, share, end) => {
  limitOf(share)
  clock.advance(end - 1)
  expect(over).toBe(0)
  clock.advance(1_001)
  expect(over).toBe(1)
  clock.advance(100_000)
  expect(over).toBe(1)
})

test('what the process used before the task does not count', () => {
  clock.advance(30_000)
  limitOf(0.5)
  clock.advance(19_000)
  expect(over).toBe(0)
  clock.advance(2_000)
  expect(over).toBe(1)
})

test('the time of answers does not count', async () => {
  const limit = limitOf(null)
  clock.advance(9_000)
  const answered = Promise.withResolvers<void>()
  const paused = limit.pausedDuring(() => answered.promise)
  clock.advance(60_000)
  answered.resolve()
  await paused
  clock.advance(999)
  expect(over).toBe(0)
  clock.advance(1)
  expect(over).toBe(1)
})

test('a task that has ended has no limit', () => {
  limitOf(null).end()
  clock.advance(100_000)
  expect(over).toBe(0)
})

test.runIf(process.platform === 'linux')('a process tells the processor time that it has used', () => {
  const before = processorTimeOf(process.pid) ?? Number.NaN
  const own = process.cpuUsage()
  while (process.cpuUsage(own).user + process.cpuUsage(own).system < 200_000);
  expect((processorTimeOf(process.pid) ?? Number.NaN) - before).toBeGreaterThanOrEqual(150)
  expect(processorTimeOf(2 ** 30)).toBeNull()
})
