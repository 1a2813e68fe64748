import { setTimeout as sleep } from 'node:timers/promises'

/** Polls until a condition is truthy, and returns its value. The timeout of the test is the limit. */
export async function until<T>(condition: () => T | null | undefined | false | Promise<T | null | undefined | false>): Promise<T> {
  for (;;) {
    const value = await condition()
    if (value) return value
    await sleep(20)
  }
}
