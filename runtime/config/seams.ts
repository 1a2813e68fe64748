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

/** Returns random bytes for one UUID. Reads a page of them at a time: that is many times cheaper than sixteen bytes at a time. */
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

/** Makes a UUIDv7 that is larger than the one before it, even within one millisecond and after the clock was set back. */
function risingUuid(): string {
  const random = uuidRandom()
  const now = Date.now()
  if (now > millisecond) {
    millisecond = now
    // Leave half of the range for ids that follow in the same millisecond.
    sequence = Buffer.from(random).readUInt32BE(0) >>> 1
  } else sequence += 1
  return v7({ random, msecs: millisecond, seq: sequence })
}

/** Ids and secrets from the machine's random source. */
export const systemIds: Ids = {
  uuid: risingUuid,
  secret: (bytes) => randomBytes(bytes).toString('base64url'),
}
