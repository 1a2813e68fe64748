import type { Clock } from '../../domain/index.ts'
import type { Deadline } from './deadline.ts'

/**
 * Waits for a result that several calls share. A read waits until its time-out, a write until its
 * `sendBy`.
 * @returns null if the time runs out first, or the call is abandoned
 */
export function awaitUntil<T>(shared: Promise<T>, clock: Clock, { timeout, sendBy, signal }: Deadline): Promise<T | null> {
  if (signal.aborted) return Promise.resolve(null)
  return new Promise((resolve, reject) => {
    const end = (): void => {
      cancel()
      signal.removeEventListener('abort', giveUp)
    }
    const giveUp = (): void => {
      end()
      resolve(null)
    }
    const cancel = clock.after(sendBy === null ? timeout : Math.max(sendBy - clock.now(), 0), giveUp)
    signal.addEventListener('abort', giveUp)
    shared.then(
      (value) => {
        end()
        resolve(value)
      },
      (error: unknown) => {
        end()
        reject(error)
      },
    )
  })
}
