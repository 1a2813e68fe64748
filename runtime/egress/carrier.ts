import type { Dispatcher } from 'undici'
import type { Millis } from '../domain/index.ts'
import type { Route } from './route.ts'

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

/** The carriers of all ways to external systems. */
export interface Carriers {
  /** Returns the carrier of a route. Null: that of requests that go directly. */
  of(route: Route | null): Carrier
  destroy(): Promise<void>
}
