import { expect, test } from 'vitest'
import { CallQueue, type InLane } from './call-queue.ts'

interface Item extends InLane {
  readonly name: string
}

/** Makes calls of a lane. Their names are the lane and a number. */
function calls(lane: string | null, count: number): readonly Item[] {
  return Array.from({ length: count }, (_, index) => ({ lane, name: `${lane}${index}` }))
}

function queueOf(...items: readonly Item[]): CallQueue<Item> {
  const queue = new CallQueue<Item>()
  for (const item of items) queue.push(item)
  return queue
}

/** Returns how many calls of each lane the next batch has. */
function next(queue: CallQueue<Item>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { lane } of queue.nextBatch()) counts[String(lane)] = (counts[String(lane)] ?? 0) + 1
  return counts
}

test('calls of a lane that is alone share one batch, in their order', () => {
  const flood = calls('flood', 100)
  expect(queueOf(...flood).nextBatch()).toEqual(flood)
})

test('a batch has at most a thousand calls', () => {
  const queue = queueOf(...calls('flood', 1_500))
  expect([next(queue), next(queue), next(queue)]).toEqual([{ flood: 1_000 }, { flood: 500 }, {}])
})

test('lanes take turns', () => {
  const batch = queueOf(...calls('a', 2), ...calls('b', 3)).nextBatch()
  expect(batch.map(({ name }) => name)).toEqual(['a0', 'b0', 'a1', 'b1', 'b2'])
})

test('a batch has few calls of a flood while a light lane is here, and for one batch more', () => {
  const queue = queueOf(...calls('flood', 100))
  queue.push({ lane: 'light', name: 'x' })
  expect([next(queue), next(queue), next(queue)]).toEqual([{ flood: 6, light: 1 }, { flood: 6 }, { flood: 88 }])
})

test('every flood has its share of a short batch', () => {
  const queue = queueOf(...calls('first', 50), ...calls('second', 50), ...calls('light', 1))
  expect(next(queue)).toEqual({ first: 6, second: 6, light: 1 })
})

test('a flood whose calls are under way is still one', () => {
  const queue = queueOf(...calls('flood', 20))
  next(queue)
  for (const item of [...calls('flood', 8), ...calls('light', 1)]) queue.push(item)
  expect(next(queue)).toEqual({ flood: 6, light: 1 })
})

test('many light lanes share one batch', () => {
  const lanes = Array.from({ length: 200 }, (_, index) => `lane ${index}`)
  const queue = queueOf(...lanes.flatMap((lane) => calls(lane, 3)))
  expect(queue.nextBatch()).toHaveLength(600)
})

test('calls without a lane are not held back, and hold back nobody', () => {
  const queue = queueOf(...calls(null, 100), ...calls('flood', 100))
  expect(next(queue)).toEqual({ null: 100, flood: 100 })
  for (const item of [...calls(null, 100), ...calls('flood', 100), ...calls('light', 1)]) queue.push(item)
  expect(next(queue)).toEqual({ null: 100, flood: 6, light: 1 })
})

test('a light lane is told from a heavy one only while there is one', () => {
  const queue = queueOf(...calls('light', 1), ...calls('flood', 8), ...calls(null, 20))
  expect(['light', 'flood', 'new', null].map((lane) => queue.isLightBesideHeavy(lane))).toEqual([false, false, false, false])
  queue.push({ lane: 'flood', name: 'x' })
  expect(['light', 'flood', 'new', null].map((lane) => queue.isLightBesideHeavy(lane))).toEqual([true, false, true, false])
})

test('a call waits as a light one until a batch has it, or the queue is cleared', () => {
  const queue = queueOf(...calls('flood', 100))
  expect(queue.lightWaits).toBe(false)
  queue.push({ lane: 'light', name: 'x' })
  expect(queue.lightWaits).toBe(true)
  queue.push({ lane: 'flood', name: 'y' })
  expect(queue.lightWaits).toBe(true)
  next(queue)
  expect(queue.lightWaits).toBe(false)
  queue.push({ lane: 'light', name: 'z' })
  queue.clear()
  expect(queue.lightWaits).toBe(false)
})

test('a queue that was cleared has forgotten what waited', () => {
  const queue = queueOf(...calls('flood', 100))
  expect(queue.clear()).toHaveLength(100)
  expect(queue.size).toBe(0)
  for (const item of [...calls('flood', 8), ...calls('light', 1)]) queue.push(item)
  expect(next(queue)).toEqual({ flood: 8, light: 1 })
})
