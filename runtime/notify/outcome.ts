import { hash } from 'node:crypto'
import type { DeliveryId, Millis } from '../domain/index.ts'
import type { DeliveryOutcome, LeasedDelivery } from '../storage/index.ts'
import type { Attempted } from './attempt.ts'

const first: Millis = 5_000
const longest: Millis = 8 * 60 * 60 * 1_000
/** So long after it was made a delivery is tried. */
export const patience: Millis = 72 * 60 * 60 * 1_000
/** The receiver says that it wants no more. */
const gone = 410

/** Of a delivery and attempt always the same, of others another one: a fifth more or less, so that what failed together is not tried together. */
function jitter(id: DeliveryId, attempts: number): number {
  return 0.8 + (0.4 * hash('sha256', `${id}#${attempts}`, 'buffer').readUInt32BE(0)) / 0xffffffff
}

/** How long to wait after so many attempts: four times as long each time. */
export function backoff(id: DeliveryId, attempts: number): Millis {
  return Math.round(Math.min(first * 4 ** (attempts - 1), longest) * jitter(id, attempts))
}

/** What becomes of a delivery after an attempt. */
export function outcomeOf({ id, attempts, age }: LeasedDelivery, { status, error, retryAfter }: Attempted, at: Millis): DeliveryOutcome {
  if (error === null) return { kind: 'delivered', attempt: { at, status, error } }
  if (status === gone) return { kind: 'dead', attempt: { at, status, error: `${error} The receiver wants no more.` } }
  const delay = Math.max(backoff(id, attempts + 1), retryAfter ?? 0)
  if (age + delay <= patience) return { kind: 'again', attempt: { at, status, error }, delay }
  return { kind: 'dead', attempt: { at, status, error: `${error} Given up after three days.` } }
}

/** Whether the receiver has said that its webhook is to be told no more. */
export function isGone({ status }: Attempted): boolean {
  return status === gone
}
