import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, expect, test } from 'vitest'
import { simulate } from './simulate.ts'

/** Set while a simulation runs, so that calls by the test runner are not counted. */
const inside = new AsyncLocalStorage<string[]>()
const gives: (() => void)[] = []
afterEach(() => {
  for (const give of gives.splice(0)) give()
})

/** Records who asks the machine for something that only the seed may decide. */
function trap<T extends object, K extends keyof T & string>(holder: T, name: K): void {
  const standing = holder[name] as unknown as (...given: unknown[]) => unknown
  const noting = (...given: unknown[]): unknown => {
    inside.getStore()?.push(`${name}\n${new Error().stack}`)
    return standing.apply(holder, given)
  }
  holder[name] = noting as unknown as T[K]
  gives.push(() => {
    holder[name] = standing as unknown as T[K]
  })
}

test.each([1, 2, 3, 40, 41, 77])('seed %i plays the same events each time', async (seed) => {
  const first = await simulate(seed)
  const second = await simulate(seed)
  expect(second.hash).toBe(first.hash)
  expect(second.last(400)).toBe(first.last(400))
})

test('another seed plays differently', async () => {
  expect((await simulate(1)).hash).not.toBe((await simulate(2)).hash)
})

test('simulated code never asks for the real time, randomness or a timer', async () => {
  trap(Date, 'now')
  trap(Math, 'random')
  trap(globalThis, 'setTimeout')
  trap(globalThis, 'setInterval')
  trap(performance, 'now')
  trap(process, 'hrtime')
  const asked: string[] = []
  await inside.run(asked, async () => {
    for (const seed of [1, 2, 3, 4, 5]) await simulate(seed)
  })
  expect(asked).toEqual([])
})
