import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import type { Clock, Ids } from '../domain/index.ts'
import { setTimer } from './timers.ts'

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (delay, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const onAbort = (): void => {
        cancel()
        reject(signal?.reason)
      }
      const cancel = setTimer(delay, () => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      })
      signal?.addEventListener('abort', onAbort, { once: true })
    }),
  after: setTimer,
  every(period, action) {
    const timer = setInterval(action, period)
    timer.unref()
    return () => clearInterval(timer)
  },
}

const randomBytesOfUuid = 16
let pool = randomBytes(0)
let used = 0

/** Random bytes for one UUID. Asking the system for a page at a time is many times cheaper than for sixteen bytes. */
function uuidRandom(): Uint8Array {
  if (used + randomBytesOfUuid > pool.length) {
    pool = randomBytes(4096)
    used = 0
  }
  used += randomBytesOfUuid
  return pool.subarray(used - randomBytesOfUuid, used)
}

let millisecond = 0
let sequence = 0

/** A UUIDv7 that is larger than the one before it, also within one millisecond and when the clock is set back. */
function risingUuid(): string {
  const random = uuidRandom()
  const now = Date.now()
  if (now > millisecond) {
    millisecond = now
    // Half of the range is left for those that follow in the same millisecond.
    sequence = Buffer.from(random).readUInt32BE(0) >>> 1
  } else sequence += 1
  return v7({ random, msecs: millisecond, seq: sequence })
}

/** The machine's randomness. */
export const systemIds: Ids = {
  uuid: risingUuid,
  secret: (bytes) => randomBytes(bytes).toString('base64url'),
}
