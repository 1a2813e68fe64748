import type { Clock, Millis } from '../domain/index.ts'
import type { Exchanged } from './exchange.ts'
import type { Denial, OutboundRequest, OutboundResult, PauseCheck } from './types.ts'

/** How long a pause check counts. If the write waits longer for its connection, it is checked again for twice as long, so that it leaves in the end. */
const freshFor: Millis = 500

/** A request that may leave. */
export interface Checked {
  /** After this time it may leave only after another pause check. */
  readonly freshUntil: Millis
  /** What is left of its time-out after the pause check. */
  readonly left: Millis
}

/**
 * Sends a request if its pause check lets it pass, within its time-out. Other processes can begin a pause at any time, and a connection may take long
 * to open. So the check comes right before the request is handed on, and is repeated if the request has not left soon after it.
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
    // The check is as old as its question: a process that stood still may read the answer much later.
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
  message: 'The store did not say in time whether it is paused.',
  turnedAway: { pause: null },
}

/** Null also if the call was given up: the exchange then ends at once. */
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
