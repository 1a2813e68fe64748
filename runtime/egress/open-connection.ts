import type { Dispatcher } from 'undici'
import type { Clock } from '../domain/index.ts'
import type { Carrier } from './carrier.ts'
import type { OutboundRequest } from './types.ts'

/**
 * A request that is dropped before it is sent. The dispatcher opens a connection for it and keeps
 * it for the next request.
 */
class Dropped implements Dispatcher.DispatchHandler {
  readonly #done: () => void

  constructor(done: () => void) {
    this.#done = done
  }

  onRequestStart(): void {
    this.#done()
    // Throwing keeps the connection open; aborting would close it.
    throw new Error('only the connection was wanted')
  }

  onResponseStart(): void {}

  onResponseData(): void {}

  onResponseEnd(): void {}

  onResponseError(): void {
    this.#done()
  }
}

/** Implements `Egress.reach` for an address that is allowed. */
export function openConnection(
  carrier: Carrier,
  { url, timeout }: Pick<OutboundRequest, 'url' | 'timeout'>,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = (): void => {
      cancel()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.after(timeout, done)
    signal.addEventListener('abort', done)
    try {
      carrier.dispatch({ origin: url.origin, path: '/', method: 'GET' }, new Dropped(done))
    } catch {
      done()
    }
  })
}
