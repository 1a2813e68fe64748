import { afterAll, beforeAll, expect, test } from 'vitest'
import { fireAgain, warmUp } from './again.ts'
import { corpus } from './corpus.ts'
import { type Blast, fireAll, fireOne } from './fire.ts'
import { Neighbour } from './neighbour.ts'
import { openRange, type Range } from './range.ts'

/**
 * The most user CPU time of one turn of the event loop in the live process, in milliseconds. A
 * request of another tenant waits for the current turn, and may be delayed by at most 200 ms. Most
 * bombs take less than 40 ms. `bench/bombs.ts` measures the real delay.
 */
const longestTurn = 100

/** The same while many bombs are fired together: one turn may do a part of several of them. */
const longestCrowdedTurn = 3 * longestTurn

/** How many bombs are fired at once: those that took the most CPU time alone. */
const crowd = 12

/** Milliseconds between two rounds of the neighbour. Its work is a sign of life here, and should not take most of the processor. */
const pause = 500

/** The most bytes of heap that may stay in use after all bombs, for caches and the neighbour's alerts. */
const mostLeft = 64 * 1024 * 1024

let range: Range
let neighbour: Neighbour
const blasts: Blast[] = []
let before: { readonly pid: number; readonly memory: number | null }

beforeAll(async () => {
  range = await openRange()
  neighbour = new Neighbour(range, pause)
  await warmUp(range)
  before = await range.monitor.read(true)
})

afterAll(async () => {
  await neighbour?.stop()
  await range?.close()
})

test('there are many bombs, each with its own name', () => {
  expect(corpus.length).toBeGreaterThan(150)
  expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length)
})

test.each(corpus.map((bomb) => [bomb.name, bomb] as const))('%s', async (_name, bomb) => {
  const blast = await fireOne(range, bomb)
  blasts.push(blast)
  expect(bomb.comes).toContain(blast.came)
  if (blast.longestTurn < longestTurn) return
  const { here, fresh } = await fireAgain(range, bomb, longestTurn)
  expect(here).toBeLessThan(longestTurn)
  expect(fresh).toBeLessThan(longestTurn)
})

test('many bombs at the same time', { timeout: 900_000 }, async () => {
  const heaviest = new Set(
    [...blasts]
      .sort((one, other) => other.cpu - one.cpu)
      .slice(0, crowd)
      .map(({ bomb }) => bomb),
  )
  expect(heaviest.size).toBe(crowd)
  await range.monitor.read()
  expect(
    await fireAll(
      range,
      corpus.filter(({ name }) => heaviest.has(name)),
    ),
  ).toEqual([])
  expect((await range.monitor.read()).longestTurn).toBeLessThan(longestCrowdedTurn)
})

test('the other tenant was not affected, and the process survived and freed its memory', async () => {
  await neighbour.stop()
  const { wrong, requests, runs } = neighbour.take()
  expect(wrong).toEqual([])
  expect(requests.length).toBeGreaterThan(0)
  expect(runs.length).toBeGreaterThan(0)
  expect((await range.monitor.read(true)).pid).toBe(before.pid)
  // Calls and checks that timed out may still be ending, and keep their data until then.
  const left = async (): Promise<number> => ((await range.monitor.read(true)).memory ?? Number.POSITIVE_INFINITY) - (before.memory ?? 0)
  await expect.poll(left, { timeout: 240_000, interval: 1_000 }).toBeLessThan(mostLeft)
})
