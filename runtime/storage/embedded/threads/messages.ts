import type { Millis } from '../../../domain/index.ts'
import type { ErrorCode, ErrorPlace } from '../../../errors/index.ts'
import type { Notice, StoreFiles } from '../files/index.ts'

export type ThreadOptions =
  /** The only thread that commits. It owns the file as soon as it has opened it, and changes nothing before `begin`. */
  | { readonly role: 'writer'; readonly files: StoreFiles; readonly companions: readonly string[]; readonly now: Millis }
  /**
   * Reads committed data, so that long lists do not delay the writer. If `check` is set, it checks the
   * database first.
   */
  | { readonly role: 'reader'; readonly files: StoreFiles; readonly check: boolean }

export interface Call {
  readonly aggregate: string
  readonly method: string
  readonly parameters: readonly unknown[]
  /** Set if the caller wants the value already before the commit. */
  readonly early?: true
}

/** Calls that share one transaction, and so one fsync. */
export interface Batch {
  readonly kind: 'batch'
  readonly now: Millis
  readonly calls: readonly Call[]
}

export type ToThread =
  /** Open the file. Answered with `opened`. */
  | { readonly kind: 'open' }
  | Batch
  /** For the writer: migrate the schema and take over from the previous process. Answered with `opened`. */
  | { readonly kind: 'begin'; readonly now: Millis }
  /** For the writer: check the files, and do what is due. Not answered. */
  | { readonly kind: 'look'; readonly now: Millis }
  /** There are no more calls. The writer checks its files a last time. Answered with `finished`. */
  | { readonly kind: 'finish'; readonly now: Millis }
  | { readonly kind: 'close'; readonly now: Millis }

export interface Failure {
  readonly code: ErrorCode
  readonly message: string
  readonly places: readonly ErrorPlace[]
  readonly remedy?: string
  /** Set if the database is damaged or the disk failed. */
  readonly fault?: 'damaged' | 'disk'
}

export type Reply = { readonly value: unknown } | { readonly failure: Failure }

export type FromThread =
  /** Says that the file is open, or why it is not. After `begin`, says the same about the store. */
  | { readonly kind: 'opened'; readonly reply: Reply }
  /** The values of the early calls of the batch under way, with their places in it. Its commit follows, and may fail. */
  | { readonly kind: 'executed'; readonly values: readonly (readonly [number, unknown])[] }
  /** The replies of a batch, in the order of its calls. */
  | { readonly kind: 'replies'; readonly replies: readonly Reply[] }
  | { readonly kind: 'finished' }
  /** From a reader that checks a large database: how many pages it has checked, of how many. */
  | { readonly kind: 'checking'; readonly done: number; readonly of: number }
  | { readonly kind: 'checked'; readonly problems: readonly string[] }
  /**
   * `why`: why nothing is acknowledged; null: the trouble is over. `busy`: the thread answers nothing until
   * its next message of this kind.
   */
  | { readonly kind: 'trouble'; readonly why: string | null; readonly busy: boolean }
  /** The disk failed in background work, for which no caller waits. */
  | { readonly kind: 'fault'; readonly message: string }
  | { readonly kind: 'notice'; readonly notice: Notice }
