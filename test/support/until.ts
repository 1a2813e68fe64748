import { setTimeout as sleep } from 'node:timers/promises'
import { TestRunner } from 'vitest'
import { throwMishaps } from './mishaps.ts'

/** The time between two polls, at least and at most. */
const [shortest, longest] = [20, 200]
/** How many times as long as a poll the pause after it is. Polls take processor time from what they wait for. */
const pausesFor = 5

/**
 * Polls until a condition is truthy, and returns its value. The limit is the time-out of the test. Its error then names the condition and its place.
 * @throws if a process of the test has ended by itself, or something else has gone wrong that the test does not await (`addMishap`)
 */
export async function until<T>(condition: () => T | null | undefined | false | Promise<T | null | undefined | false>): Promise<T> {
  const signal = TestRunner.getCurrentTest()?.context.signal
  const [, , place = ''] = (new Error('here').stack ?? '').split('\n')
  let late: Error | null = null
  const onAbort = (): void => {
    late = signal?.reason instanceof Error ? signal.reason : new Error('The test is over.')
    late.message += `\nIt still waited until this is true: ${String(condition)}\n${place}`
  }
  signal?.addEventListener('abort', onAbort)
  try {
    for (;;) {
      const begun = performance.now()
      const value = await condition()
      if (value) return value
      if (late) throw late
      throwMishaps()
      await sleep(Math.min(Math.max(shortest, pausesFor * (performance.now() - begun)), longest))
    }
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}
