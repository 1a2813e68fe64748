import { setTimeout as sleep } from 'node:timers/promises'

/** Looks until a condition holds; the test's own time-out is the bound. Returns what the condition gave. */
export async function until<T>(condition: () => T | null | undefined | false | Promise<T | null | undefined | false>): Promise<T> {
  for (;;) {
    const value = await condition()
    if (value) return value
    await sleep(20)
  }
}
