import type { Millis } from '../../domain/index.ts'
import type { ErrorCode, ErrorPlace } from '../../errors/index.ts'
import type { StoreFiles } from './names.ts'
import type { Notice } from './notice.ts'

/** What a thread of the store is started with. */
export type ThreadOptions =
  /** Commits. It owns the file when it has opened it, and changes nothing before it is told to begin. */
  | { readonly role: 'writer'; readonly files: StoreFiles; readonly companions: readonly string[]; readonly now: Millis }
  /** Sees what was committed, and keeps long listings out of the writer's way. Before that it may check the whole database. */
  | { readonly role: 'reader'; readonly files: StoreFiles; readonly check: boolean }

export interface Call {
  readonly aggregate: string
  readonly method: string
  readonly parameters: readonly unknown[]
}

/** Calls that share one transaction, and so one fsync. */
export interface Batch {
  readonly kind: 'batch'
  readonly now: Millis
  readonly calls: readonly Call[]
}

export type ToThread =
  | Batch
  /** Of the writer: bring the schema up to date, and take over what the process before left. Answered with `opened`. */
  | { readonly kind: 'begin'; readonly now: Millis }
  /** Of the writer: look at the files, and do what is due. Not answered. */
  | { readonly kind: 'look'; readonly now: Millis }
  | { readonly kind: 'close'; readonly now: Millis }

export interface Failure {
  readonly code: ErrorCode
  readonly message: string
  readonly places: readonly ErrorPlace[]
  readonly remedy?: string
  /** Set where the file is not what SQLite wrote, or the disk did not do what it was told. */
  readonly fault?: 'damaged' | 'disk'
}

export type Reply = { readonly value: unknown } | { readonly failure: Failure }

export type FromThread =
  /** That the file is open or why not; after `begin`, that the store is. */
  | { readonly kind: 'opened'; readonly reply: Reply }
  /** In the order of the batch's calls. */
  | { readonly kind: 'replies'; readonly replies: readonly Reply[] }
  /** Of the reader that checks: how many pages of a large database it has looked at. */
  | { readonly kind: 'checking'; readonly done: number; readonly of: number }
  | { readonly kind: 'checked'; readonly problems: readonly string[] }
  /** Nothing is acknowledged for this reason, or again (null). `busy`: the thread answers nothing until it says so again. */
  | { readonly kind: 'trouble'; readonly why: string | null; readonly busy: boolean }
  /** The disk did not do what it was told, in something that nobody waits for. */
  | { readonly kind: 'fault'; readonly message: string }
  | { readonly kind: 'notice'; readonly notice: Notice }
