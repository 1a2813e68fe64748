import type { Clock, Millis } from '../domain/index.ts'
import type { Exchanged } from './exchange.ts'
import type { Clearance, Denial, OutboundRequest, OutboundResult } from './types.ts'

/** How long a clearance of a write lasts. If the write waits longer for its connection, it is cleared again for twice as long, so that it leaves in the end. */
const clearedFor: Millis = 500

/** A request that may leave. */
export interface Cleared {
  readonly clearedUntil: Millis
  /** Of its time-out, in which it waited for its clearance. */
  readonly left: Millis
}

/**
 * Sends a request when its clearance says that it may, within its time-out. What is to be cleared lies where other processes change it, and
 * a socket may be long in coming: so it is asked for right before the request is handed on, and again where that was too long ago.
 */
export async function whenCleared(
  request: OutboundRequest,
  clock: Clock,
  signal: AbortSignal | undefined,
  exchange: (request: OutboundRequest, cleared: Cleared, signal?: AbortSignal) => Promise<Exchanged>,
): Promise<OutboundResult> {
  const { clearance = null, timeout, sendBy } = request
  const end = clock.now() + timeout
  for (let patience = clearedFor; ; patience *= 2) {
    // The look is as old as the question: an answer may lie for long before a process that stood still reads it.
    const asked = clock.now()
    const denial = clearance && (await inTime(clearance, clock, Math.min(end, sendBy ?? end), signal))
    if (denial) return { effect: 'not_sent', ...denial }
    const clearedUntil = clearance ? asked + patience : Number.POSITIVE_INFINITY
    const result = await exchange(request, { clearedUntil, left: Math.max(end - clock.now(), 0) }, signal)
    if (result !== 'stale') return result
  }
}

const silence: Denial = {
  code: 'store_unavailable',
  message: 'The store did not say in time whether it is paused.',
  turnedAway: { pause: null },
}

/** Null also for a call that was given up: it goes no further than to say so. */
function inTime(clearance: Clearance, clock: Clock, until: Millis, signal: AbortSignal | undefined): Promise<Denial | null> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(Math.max(until - clock.now(), 0), () => resolve(silence))
    const onAbort = (): void => resolve(null)
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
    clearance()
      .then(resolve, reject)
      .finally(() => {
        cancel()
        signal?.removeEventListener('abort', onAbort)
      })
  })
}
