/**
 * What somebody did to the files of an open store.
 * - `moved`: the database is no longer at its path. It or its folder was removed, renamed or replaced.
 * - `log`: only the log is no longer at its path, or no longer where the next process would look for it.
 * - `index`: only SQLite's index of the log is no longer at its path. No data is lost, but another program
 * could now damage the database.
 * - `changed`: another program wrote to the database or its log, or truncated it.
 * - `unreachable`: the files cannot be examined or opened any more.
 */
export type SurpriseKind = 'moved' | 'log' | 'index' | 'changed' | 'unreachable'

/** Thrown when nothing may be acknowledged any more. */
export class Surprise extends Error {
  override readonly name = 'Surprise'
  readonly kind: SurpriseKind

  /** @param message a sentence that names files without their folder, because API callers see it */
  constructor(kind: SurpriseKind, message: string) {
    super(message)
    this.kind = kind
  }
}
