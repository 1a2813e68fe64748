import { hash } from 'node:crypto'
import type { DeliveryId, Millis } from '../domain/index.ts'
import type { DeliveryOutcome, LeasedDelivery } from '../storage/index.ts'
import type { Attempted } from './attempt.ts'

const first: Millis = 5_000
const longest: Millis = 8 * 60 * 60 * 1_000
/** How long after its creation a delivery is tried. */
export const patience: Millis = 72 * 60 * 60 * 1_000
/** The status of a receiver that wants nothing more. */
const gone = 410

/**
 * Returns a factor between 0.8 and 1.2, always the same for a delivery and attempt. So deliveries that failed
 * together are not all retried together.
 */
function jitter(id: DeliveryId, attempts: number): number {
  return 0.8 + (0.4 * hash('sha256', `${id}#${attempts}`, 'buffer').readUInt32BE(0)) / 0xffffffff
}

/** Returns how long to wait after this many attempts: four times as long each time. */
export function backoff(id: DeliveryId, attempts: number): Millis {
  return Math.round(Math.min(first * 4 ** (attempts - 1), longest) * jitter(id, attempts))
}

/** Returns the outcome of a delivery after an attempt. */
export function outcomeOf({ id, attempts, age }: LeasedDelivery, { status, error, retryAfter }: Attempted, at: Millis): DeliveryOutcome {
  if (error === null) return { kind: 'delivered', attempt: { at, status, error } }
  if (status === gone) return { kind: 'dead', attempt: { at, status, error: `${error} The receiver wants no more.` } }
  // A proxy in front of the receiver may ask for a year. The receiver may answer long before.
  const delay = Math.max(backoff(id, attempts + 1), Math.min(retryAfter ?? 0, longest))
  if (age + delay <= patience) return { kind: 'again', attempt: { at, status, error }, delay }
  return { kind: 'dead', attempt: { at, status, error: `${error} Given up after three days.` } }
}

/** Returns whether the receiver has said that it wants nothing more. */
export function isGone({ status }: Attempted): boolean {
  return status === gone
}
