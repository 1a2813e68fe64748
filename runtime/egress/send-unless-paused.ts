import type { Clock, Millis } from '../domain/index.ts'
import type { Exchanged } from './exchange.ts'
import type { BegunCheck, Denial, OutboundRequest, OutboundResult } from './types.ts'

/**
 * How long a pause check is valid. Each repetition is valid twice as long as the one before, so
 * that the write leaves eventually.
 */
const freshFor: Millis = 500

/** The time limits of a request that has passed its pause check. */
export interface Checked {
  /** After this time the request needs another pause check before it leaves. */
  readonly freshUntil: Millis
  /** What is left of the time-out after the pause check. */
  readonly left: Millis
}

/**
 * Sends a request within its time-out, unless its pause check says that it is paused. Another
 * process can begin a pause at any time, and a connection may take long to open. So the check comes
 * right before the request is dispatched, and is repeated if the request does not leave soon. If it was begun ahead
 * and is still valid, it is not begun again.
 */
export async function sendUnlessPaused(
  request: OutboundRequest,
  clock: Clock,
  signal: AbortSignal | undefined,
  exchange: (request: OutboundRequest, checked: Checked, signal?: AbortSignal) => Promise<Exchanged>,
): Promise<OutboundResult> {
  const { pauseCheck = null, timeout, sendBy } = request
  const end = clock.now() + timeout
  let ahead = pauseCheck?.ahead ?? null
  for (let patience = freshFor; ; patience *= 2) {
    // The time of the question counts, not that of the answer: a suspended process may read the answer
    // much later.
    const { at, denial } = (ahead && validAt(ahead, clock.now())) ?? { at: clock.now(), denial: pauseCheck?.() }
    ahead = null
    const denied = denial && (await inTime(denial, clock, Math.min(end, sendBy ?? end), signal))
    if (denied) return { effect: 'not_sent', ...denied }
    const freshUntil = pauseCheck ? at + patience : Number.POSITIVE_INFINITY
    const result = await exchange(request, { freshUntil, left: Math.max(end - clock.now(), 0) }, signal)
    if (result !== 'stale') return result
  }
}

/** Returns the check if its question is not too old. A question from the future says that the clock was set back. */
function validAt(check: BegunCheck, now: Millis): BegunCheck | null {
  const age = now - check.at
  return age >= 0 && age < freshFor ? check : null
}

const silence: Denial = {
  code: 'store_unavailable',
  message: 'The store did not say in time whether the write is paused.',
  turnedAway: { pause: null },
}

/**
 * Resolves to null if the check allows the write, and also if the call is abandoned: the exchange
 * then ends at once.
 */
function inTime(denial: Promise<Denial | null>, clock: Clock, until: Millis, signal: AbortSignal | undefined): Promise<Denial | null> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(Math.max(until - clock.now(), 0), () => resolve(silence))
    const onAbort = (): void => resolve(null)
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
    denial.then(resolve, reject).finally(() => {
      cancel()
      signal?.removeEventListener('abort', onAbort)
    })
  })
}
