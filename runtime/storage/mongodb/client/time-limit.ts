import type { Clock, Millis } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'

/**
 * How long a bulk may take. It is longer than all that a call waits for and then still succeeds or fails: twice for a primary, a command and
 * a majority, and the same once more if we repeat it.
 */
export const longestBulk: Millis = 120_000
/** How long a call of the store may take. It may have to wait for a bulk first. */
export const longestCall: Millis = 2 * longestBulk

/**
 * Returns the result of a call to MongoDB, or fails if it takes too long. The driver could forget a call in ways that we know (`endLostWrites`).
 * If there are more, what waits for the call would wait for ever.
 * @throws TocsinError `store_unavailable` after `longest` milliseconds. As after a lost connection, a write may have happened
 */
export function answeredWithin<T>(clock: Pick<Clock, 'after'>, longest: Millis, call: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const cancel = clock.after(longest, () => reject(new TocsinError('store_unavailable', `MongoDB has not answered for ${longest / 1_000} seconds.`)))
  return Promise.race([call, promise]).finally(cancel)
}
