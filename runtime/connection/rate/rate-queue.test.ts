import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/clocks/manual-clock.ts'
import { asId, type ConnectionId } from '../../domain/index.ts'
import { LocalPermitSource, type PermitSource } from '../../rate-limit/index.ts'
import { type Permit, RateQueue } from './rate-queue.ts'

const limit = { requests: 10, interval: 1_000, burst: 3 }
const connection: ConnectionId = asId('c')
const signal = new AbortController().signal

/** Makes a queue. Records who got a permit and when, in milliseconds since the start. */
function watched(clock = new ManualClock(), permits: PermitSource = new LocalPermitSource(clock)) {
  const hold = (delay: number): Promise<void> => permits.hold(connection, limit, delay)
  const queue = new RateQueue(clock, permits, connection, limit)
  const start = clock.now()
  const passed: [name: string, at: number][] = []
  const turned: [name: string, turn: Permit][] = []
  const enter = (name: string, lane = name, within = 60_000, given = signal): void => {
    void queue.enter({ tenant: 'acme', lane }, clock.now() + within, given).then((turn) => {
      if (turn.ok) passed.push([name, clock.now() - start])
      else turned.push([name, turn])
    })
  }
  // A permit is recorded one turn of the event loop later, so the clock advances in steps.
  const advance = async (milliseconds: number, step = 50): Promise<void> => {
    await turnOfLoop()
    for (let done = 0; done < milliseconds; done += step) {
      clock.advance(Math.min(step, milliseconds - done))
      await turnOfLoop()
    }
  }
  return { clock, queue, hold, passed, turned, enter, advance }
}

test('a burst leaves at once, the rest evenly spaced', async () => {
  const { enter, advance, passed } = watched()
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) enter(name, 'one')
  await advance(1_000)
  expect(passed).toEqual([
    ['a', 0],
    ['b', 0],
    ['c', 0],
    ['d', 100],
    ['e', 200],
    ['f', 300],
  ])
})

test('no interval ever sees more than the rate and the burst', async () => {
  const { enter, advance, passed } = watched()
  for (let number = 0; number < 100; number += 1) enter(String(number), 'one')
  await advance(12_000, 10)
  expect(passed).toHaveLength(100)
  const times = passed.map(([, at]) => at)
  for (const from of times) expect(times.filter((at) => at >= from && at < from + 1_000).length).toBeLessThanOrEqual(13)
  expect(times.at(-1)).toBe(9_700)
})

test('an idle time restores the burst, and no more than that', async () => {
  const { enter, advance, passed } = watched()
  for (const name of ['a', 'b', 'c']) enter(name)
  await advance(60_000, 1_000)
  for (const name of ['d', 'e', 'f', 'g']) enter(name)
  await advance(200)
  expect(passed.slice(3).map(([, at]) => at)).toEqual([60_000, 60_000, 60_000, 60_100])
})

test('lanes take turns: one with many requests delays another by one', async () => {
  const { enter, advance, passed } = watched()
  for (const number of [1, 2, 3]) enter(`many ${number}`, 'many')
  await advance(0)
  for (const number of [4, 5, 6, 7, 8]) enter(`many ${number}`, 'many')
  enter('few 1', 'few')
  enter('few 2', 'few')
  enter('third', 'third')
  await advance(1_000)
  expect(passed.slice(3).map(([name]) => name)).toEqual(['many 4', 'few 1', 'third', 'many 5', 'few 2', 'many 6', 'many 7', 'many 8'])
})

test('later requests do not overtake earlier ones', async () => {
  const { enter, advance, passed } = watched()
  for (const name of ['a', 'b', 'c', 'd']) enter(name, 'one')
  await advance(99, 99)
  enter('late', 'other')
  await advance(200)
  expect(passed.map(([name]) => name)).toEqual(['a', 'b', 'c', 'd', 'late'])
})

test('a wait ends when its time is up, and the permit goes to the next request', async () => {
  const { enter, advance, passed, turned } = watched()
  for (const name of ['a', 'b', 'c']) enter(name)
  enter('patient', 'one')
  enter('hasty', 'hasty', 150)
  enter('next', 'next')
  await advance(50)
  expect(turned).toEqual([])
  await advance(50)
  // The next permit is already taken, and would come too late.
  expect(turned).toEqual([['hasty', { ok: false, why: 'late', retryAfter: 100 }]])
  await advance(500)
  expect(passed.slice(3)).toEqual([
    ['patient', 100],
    ['next', 200],
  ])
})

test('a request that cannot get a permit in time is told at once, with the wait', async () => {
  const { hold, enter, advance, turned, passed } = watched()
  await hold(5_000)
  enter('hasty', 'hasty', 1_000)
  enter('patient', 'patient', 6_000)
  await advance(0)
  expect(turned).toEqual([['hasty', { ok: false, why: 'late', retryAfter: 5_000 }]])
  await advance(6_000)
  expect(passed).toEqual([['patient', 5_000]])
})

test('after a hold there is no burst', async () => {
  const { hold, enter, advance, passed } = watched()
  await hold(1_000)
  for (const name of ['a', 'b', 'c']) enter(name, 'one')
  await advance(2_000)
  expect(passed.map(([, at]) => at)).toEqual([1_000, 1_100, 1_200])
})

test('a hold also stops the requests that already wait', async () => {
  const { hold, enter, advance, passed } = watched()
  for (const name of ['a', 'b', 'c', 'd']) enter(name, 'one')
  await advance(0)
  await hold(2_000)
  await advance(3_000)
  expect(passed.at(-1)).toEqual(['d', 2_000])
})

test('an abandoned request leaves its lane', async () => {
  const { enter, advance, passed, turned } = watched()
  const controller = new AbortController()
  for (const name of ['a', 'b', 'c']) enter(name)
  enter('given up', 'one', 60_000, controller.signal)
  enter('next', 'two')
  controller.abort()
  enter('never', 'three', 60_000, controller.signal)
  await advance(500)
  expect(turned.map(([name, turn]) => [name, turn.ok ? '' : turn.why])).toEqual([
    ['given up', 'given_up'],
    ['never', 'given_up'],
  ])
  expect(passed.at(-1)).toEqual(['next', 100])
})

test('a clock that is set back does not block the queue', async () => {
  const clock = new ManualClock()
  const { enter, advance, passed } = watched(clock)
  for (const name of ['a', 'b', 'c']) enter(name)
  await advance(0)
  clock.advance(-3_600_000)
  enter('after', 'after', 1_000)
  await advance(200)
  expect(passed.map(([name]) => name)).toEqual(['a', 'b', 'c', 'after'])
})

test('it is idle when nobody waits', async () => {
  const { queue, enter, advance } = watched()
  expect(queue.idle).toBe(true)
  for (const name of ['a', 'b', 'c', 'd']) enter(name)
  await advance(50)
  expect(queue.idle).toBe(false)
  await advance(50)
  expect(queue.idle).toBe(true)
})

test('a permit that nobody needs any more is given back', async () => {
  const { enter, advance, passed } = watched()
  const controller = new AbortController()
  for (const name of ['a', 'b', 'c']) enter(name)
  enter('given up', 'one', 60_000, controller.signal)
  await advance(50)
  controller.abort()
  await advance(50)
  enter('next', 'two')
  await advance(50)
  expect(passed.at(-1)).toEqual(['next', 100])
})

test('a permit that was taken before the connection was put on hold is void', async () => {
  const { hold, enter, advance, passed } = watched()
  for (const name of ['a', 'b', 'c', 'd']) enter(name)
  await advance(50)
  await hold(200)
  await advance(500)
  expect(passed.at(-1)).toEqual(['d', 250])
})

test('two processes that share permits take turns, however many requests one of them has', async () => {
  const clock = new ManualClock()
  const permits = new LocalPermitSource(clock)
  const one = watched(clock, permits)
  const two = watched(clock, permits)
  for (let number = 0; number < 20; number += 1) one.enter(`one ${number}`, 'one')
  await one.advance(50)
  for (let number = 0; number < 5; number += 1) two.enter(`two ${number}`, 'two')
  await one.advance(1_000)
  // Process one got three permits at once and took one in advance. Since then the processes take turns.
  expect(two.passed.map(([, at]) => at)).toEqual([200, 400, 600, 800, 1_000])
})
