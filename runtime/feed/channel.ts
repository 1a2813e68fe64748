import type { Change } from './change.ts'

/** How a channel reports to the feed of its process. */
export interface ChannelListener {
  /** Another process reports that objects have changed. */
  received(changes: readonly Change[]): void
  /** Changes in other processes may have been missed. */
  missed(): void
}

/** Connects the feeds of all processes of an installation. If hints may have been lost, it calls `missed`. */
export interface FeedChannel {
  /** Whether another process listens. */
  readonly wanted: boolean
  listen(listener: ChannelListener): void
  /** Asks the other processes to send their changes. Resolves when they do, or when they cannot be reached now. Never rejects. */
  join(): Promise<void>
  leave(): void
  /** Sends changes to the other processes. Does not wait, and never fails. A process that loses them calls `missed`. */
  send(changes: readonly Change[], missed: boolean): void
}
