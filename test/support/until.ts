import { setTimeout as sleep } from 'node:timers/promises'

/** The time between two polls, at least and at most. */
const [shortest, longest] = [20, 200]
/** How many times as long as a poll the pause after it is. Polls take processor time from what they wait for. */
const pausesFor = 5

/** Polls until a condition is truthy, and returns its value. The timeout of the test is the limit. */
export async function until<T>(condition: () => T | null | undefined | false | Promise<T | null | undefined | false>): Promise<T> {
  for (;;) {
    const begun = performance.now()
    const value = await condition()
    if (value) return value
    await sleep(Math.min(Math.max(shortest, pausesFor * (performance.now() - begun)), longest))
  }
}
