import type { Millis } from '../../../runtime/domain/index.ts'
import type { Store } from '../../../runtime/storage/index.ts'

/** A store over data of its own. */
export interface Opened {
  /** The one that is open now; another one after `reopen`. */
  readonly store: Store
  /** Another process's store over the same data, open as long as the first; null where one process owns the data. */
  second(): Promise<Store | null>
  /** Closes the store and opens the data again, as a restart does. */
  reopen(): Promise<void>
  /** Makes so much store time pass for sessions (those that do not give a sign of life afterwards have been silent for so long) and for leases. */
  pass(duration: Millis): Promise<void>
  /** Closes all, and removes the data. */
  close(): Promise<void>
}

export interface Harness {
  readonly name: string
  open(): Promise<Opened>
}

/** How a file of cases reaches the store that is open. */
export type At = () => Opened
