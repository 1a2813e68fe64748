import type { Millis } from '../../domain/index.ts'
import type { ErrorCode, ErrorPlace } from '../../errors/index.ts'

/** What the store's thread is started with. */
export interface ThreadOptions {
  readonly file: string
  /** The writer commits; the reader sees what was committed, and keeps long listings out of the writer's way. */
  readonly role: 'writer' | 'reader'
}

export interface Call {
  readonly aggregate: string
  readonly method: string
  readonly parameters: readonly unknown[]
}

/** Calls that share one transaction, and so one fsync. */
export interface Batch {
  readonly now: Millis
  readonly calls: readonly Call[]
}

export type Reply =
  | { readonly value: unknown }
  | { readonly failure: { readonly code: ErrorCode; readonly message: string; readonly places: readonly ErrorPlace[] } }

/** Replies in the order of the batch's calls; or, at start, that the file is open or why not. */
export type FromThread = { readonly opened: Reply } | { readonly replies: readonly Reply[] }
