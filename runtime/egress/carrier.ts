import type { Dispatcher } from 'undici'

/** Carries requests to their destination: sockets, or a substitute for them. */
export interface Carrier {
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): unknown
  destroy(): Promise<void>
}
