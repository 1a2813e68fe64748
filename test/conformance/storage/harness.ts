import type { Millis } from '../../../runtime/domain/index.ts'
import type { Store } from '../../../runtime/storage/index.ts'

/** A store with its own data. */
export interface Opened {
  /** The open store. Another one after `reopen`. */
  readonly store: Store
  /**
   * Returns another process's store over the same data, open as long as the first. Null if only one process
   * can own the data.
   */
  second(): Promise<Store | null>
  /** Closes the store and opens the data again, like a restart. */
  reopen(): Promise<void>
  /**
   * Lets store time pass for sessions and leases. A session without a later heartbeat has then been silent
   * for that long.
   */
  pass(duration: Millis): Promise<void>
  /** Closes everything and removes the data. */
  close(): Promise<void>
}

export interface Harness {
  readonly name: string
  open(): Promise<Opened>
}

/** Gives a file of cases access to the open store. */
export type At = () => Opened
