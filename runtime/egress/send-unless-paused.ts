import type { Clock, Millis } from '../domain/index.ts'
import type { Exchanged } from './exchange.ts'
import type { Denial, OutboundRequest, OutboundResult, PauseCheck } from './types.ts'

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
 * right before the request is dispatched, and is repeated if the request does not leave soon.
 */
export async function sendUnlessPaused(
  request: OutboundRequest,
  clock: Clock,
  signal: AbortSignal | undefined,
  exchange: (request: OutboundRequest, checked: Checked, signal?: AbortSignal) => Promise<Exchanged>,
): Promise<OutboundResult> {
  const { pauseCheck = null, timeout, sendBy } = request
  const end = clock.now() + timeout
  for (let patience = freshFor; ; patience *= 2) {
    // The time of the question counts, not that of the answer: a suspended process may read the answer
    // much later.
    const asked = clock.now()
    const denial = pauseCheck && (await inTime(pauseCheck, clock, Math.min(end, sendBy ?? end), signal))
    if (denial) return { effect: 'not_sent', ...denial }
    const freshUntil = pauseCheck ? asked + patience : Number.POSITIVE_INFINITY
    const result = await exchange(request, { freshUntil, left: Math.max(end - clock.now(), 0) }, signal)
    if (result !== 'stale') return result
  }
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
function inTime(pauseCheck: PauseCheck, clock: Clock, until: Millis, signal: AbortSignal | undefined): Promise<Denial | null> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(Math.max(until - clock.now(), 0), () => resolve(silence))
    const onAbort = (): void => resolve(null)
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
    pauseCheck()
      .then(resolve, reject)
      .finally(() => {
        cancel()
        signal?.removeEventListener('abort', onAbort)
      })
  })
}
