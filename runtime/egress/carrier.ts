import type { Dispatcher } from 'undici'
import type { Millis } from '../domain/index.ts'

/** A request for a carrier. */
export interface Carried extends Dispatcher.DispatchOptions {
  /** The request must not reach the system after this time (wall clock). Null or absent: no such limit. */
  readonly sendBy?: Millis | null
}

/** Carries requests to their destination: sockets, a route, or a substitute for them. */
export interface Carrier {
  dispatch(request: Carried, handler: Dispatcher.DispatchHandler): unknown
  destroy(): Promise<void>
}
