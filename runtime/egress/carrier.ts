import type { Dispatcher } from 'undici'

/** What carries requests to where they go: sockets, or what stands in for them. */
export interface Carrier {
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): unknown
  destroy(): Promise<void>
}
