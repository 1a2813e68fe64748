import type { Clock, Millis } from '../domain/index.ts'

/** After so long, an operator may think that a start hangs. */
const longAfter: Millis = 3_000

/** Does a part of a start. If it takes long, tells once what it does. */
export async function tellIfLong<T>(clock: Pick<Clock, 'after'>, tell: () => void, work: () => Promise<T>): Promise<T> {
  const cancel = clock.after(longAfter, tell)
  try {
    return await work()
  } finally {
    cancel()
  }
}
