import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import type { Clock, Ids } from '../domain/index.ts'

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (delay, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const onAbort = (): void => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }, delay)
      signal?.addEventListener('abort', onAbort, { once: true })
    }),
  after(delay, action) {
    const timer = setTimeout(action, delay)
    return () => clearTimeout(timer)
  },
  every(period, action) {
    const timer = setInterval(action, period)
    timer.unref()
    return () => clearInterval(timer)
  },
}

/** The machine's randomness. */
export const systemIds: Ids = {
  uuid: () => v7(),
  secret: (bytes) => randomBytes(bytes).toString('base64url'),
}
