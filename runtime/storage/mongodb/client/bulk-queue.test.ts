import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ManualClock } from '../../../../test/support/clocks/manual-clock.ts'
import { inLane } from '../../../fairness/index.ts'
import { inBulks, type Outcome } from './bulk-queue.ts'
import { BulkTurns } from './bulk-turns.ts'
import { longestBulk } from './time-limit.ts'

const turnsOf = (most: number): BulkTurns => new BulkTurns({ busy: most, quiet: most }, new ManualClock())

/** Returns a `perform` that keeps its items, and answers a bulk when the test says so. */
function held() {
  const bulks: (readonly number[])[] = []
  const answers: ((outcomes: readonly Outcome<string>[]) => void)[] = []
  const failures: ((error: Error) => void)[] = []
  return {
    bulks,
    perform: (items: readonly number[]) => {
      bulks.push(items)
      return new Promise<readonly Outcome<string>[]>((resolve, reject) => {
        answers.push(resolve)
        failures.push(reject)
      })
    },
    answer(bulk: number, outcome: (item: number) => Outcome<string> = (item) => () => `got ${item}`): void {
      answers[bulk]?.((bulks[bulk] ?? []).map(outcome))
    },
    fail(bulk: number): void {
      failures[bulk]?.(new Error('bulk lost'))
    },
  }
}

test('calls of one turn share a bulk, in order; calls that come while it is under way share the next one', async () => {
  const work = held()
  const call = inBulks(turnsOf(9), 100, work.perform)
  const first = [call(1), call(2)]
  await setImmediate()
  const second = [call(3), call(4), call(5)]
  await setImmediate()
  expect(work.bulks).toEqual([[1, 2]])
  work.answer(0)
  expect(await Promise.all(first)).toEqual(['got 1', 'got 2'])
  await setImmediate()
  expect(work.bulks).toEqual([
    [1, 2],
    [3, 4, 5],
  ])
  work.answer(1)
  expect(await Promise.all(second)).toEqual(['got 3', 'got 4', 'got 5'])
})

test('a bulk has no more items than the limit', async () => {
  const work = held()
  const call = inBulks(turnsOf(9), 2, work.perform)
  const calls = [call(1), call(2), call(3)]
  await setImmediate()
  work.answer(0)
  await Promise.all(calls.slice(0, 2))
  await setImmediate()
  expect(work.bulks).toEqual([[1, 2], [3]])
})

test('a bulk ends with the item that makes it large', async () => {
  const work = held()
  const megabyte = 1024 * 1024
  const call = inBulks(turnsOf(9), 100, work.perform, (item) => item)
  const calls = [call(1), call(megabyte - 2), call(1), call(5), call(9 * megabyte), call(2)]
  for (const bulk of [0, 1, 2]) {
    await setImmediate()
    work.answer(bulk)
    await setImmediate()
  }
  await Promise.all(calls)
  expect(work.bulks).toEqual([[1, megabyte - 2, 1], [5, 9 * megabyte], [2]])
})

test('an item that cannot be measured fails alone, and the next bulk continues', async () => {
  const work = held()
  const call = inBulks(turnsOf(9), 100, work.perform, (item) => {
    if (item === 2) throw new Error('too deep')
    return item
  })
  const calls = Promise.allSettled([call(1), call(2), call(3)])
  await setImmediate()
  for (const bulk of [0, 1]) {
    work.answer(bulk)
    await setImmediate()
  }
  expect((await calls).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('one bad item fails only itself', async () => {
  const work = held()
  const call = inBulks(turnsOf(9), 100, work.perform)
  const calls = Promise.allSettled([call(1), call(2), call(3)])
  await setImmediate()
  work.answer(0, (item) => () => {
    if (item === 2) throw new Error('bad')
    return `got ${item}`
  })
  expect((await calls).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('a slow item delays neither the others nor the next bulk', async () => {
  const work = held()
  const call = inBulks(turnsOf(9), 100, work.perform)
  const slow = call(1)
  const quick = call(2)
  let finish = (_: string): void => {}
  const later = new Promise<string>((resolve) => {
    finish = resolve
  })
  await setImmediate()
  work.answer(0, (item) => () => (item === 1 ? later : `got ${item}`))
  expect(await quick).toBe('got 2')
  const next = call(3)
  await setImmediate()
  work.answer(1)
  expect(await next).toBe('got 3')
  finish('at last')
  expect(await slow).toBe('at last')
})

test('if a bulk fails, all of its items fail, and the next bulk continues', async () => {
  const work = held()
  const call = inBulks(turnsOf(9), 100, work.perform)
  const lost = Promise.allSettled([call(1), call(2)])
  await setImmediate()
  work.fail(0)
  expect(await lost).toMatchObject([{ reason: { message: 'bulk lost' } }, { reason: { message: 'bulk lost' } }])
  const next = call(3)
  await setImmediate()
  work.answer(1)
  expect(await next).toBe('got 3')
})

test('an item without an outcome is an error', async () => {
  const call = inBulks<number, string>(turnsOf(9), 100, async () => [() => 'one'])
  const results = await Promise.allSettled([call(1), call(2)])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
})

test('only as many bulks as the limit are under way; those that wait gather more calls and follow in order', async () => {
  const turns = turnsOf(1)
  const [a, b, c] = [held(), held(), held()]
  const [callA, callB, callC] = [a, b, c].map((work) => inBulks(turns, 100, work.perform))
  const all = [callA?.(1), callB?.(2), callC?.(3)]
  await setImmediate()
  all.push(callB?.(4))
  await setImmediate()
  expect([a.bulks, b.bulks, c.bulks]).toEqual([[[1]], [], []])
  a.answer(0)
  await all[0]
  await setImmediate()
  expect([b.bulks, c.bulks]).toEqual([[[2, 4]], []])
  b.fail(0)
  await Promise.allSettled([all[1], all[3]])
  await setImmediate()
  expect(c.bulks).toEqual([[3]])
  c.answer(0)
  expect(await all[2]).toBe('got 3')
})

test('beside a flood, the bulk with a call of a light lane does not wait for a turn, and takes the calls before it along', async () => {
  const turns = new BulkTurns({ busy: 1, quiet: 2 }, new ManualClock())
  const [a, b] = [held(), held()]
  const [callA, callB] = [a, b].map((work) => inBulks(turns, 100, work.perform))
  const flood = Array.from({ length: 9 }, (_, item) => inLane('flood', () => callA?.(item)))
  await setImmediate()
  flood.push(inLane('flood', () => callB?.(10)))
  await setImmediate()
  expect([a.bulks.length, b.bulks]).toEqual([1, []])
  const light = inLane('light', () => callB?.(11))
  await setImmediate()
  expect(b.bulks).toEqual([[10, 11]])
  b.answer(0)
  expect(await light).toBe('got 11')
  a.answer(0)
  await Promise.all(flood)
  expect(turns.lanes.isLightBesideHeavy('light')).toBe(false)
})

test('an item that is many calls makes its lane heavy', async () => {
  const turns = turnsOf(1)
  const work = held()
  const call = inBulks(turns, 100, work.perform, undefined, (item) => item)
  const flood = inLane('flood', () => call(9))
  expect(turns.lanes.isLightBesideHeavy('light')).toBe(true)
  await setImmediate()
  work.fail(0)
  await expect(flood).rejects.toThrow('bulk lost')
  expect(turns.lanes.isLightBesideHeavy('light')).toBe(false)
})

test('a bulk whose answer never comes fails, and does not hold up the next one', async () => {
  const work = held()
  const clock = new ManualClock()
  const call = inBulks(new BulkTurns({ busy: 1, quiet: 1 }, clock), 100, work.perform)
  const lost = call(1)
  await setImmediate()
  const next = call(2)
  clock.advance(longestBulk)
  await expect(lost).rejects.toMatchObject({ code: 'store_unavailable', message: 'MongoDB has not answered for 120 seconds.' })
  await setImmediate()
  expect(work.bulks).toEqual([[1], [2]])
  work.answer(1)
  expect(await next).toBe('got 2')
  clock.advance(longestBulk)
  work.answer(0)
})
