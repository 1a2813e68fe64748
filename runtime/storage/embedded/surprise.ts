/**
 * What somebody did to the files of an open store.
 * - `moved`: the database is not at its path any more: removed, renamed, replaced, or its folder was.
 * - `log`: the database is, its log is not.
 * - `index`: SQLite's index of the log is not; nothing is lost with it, but other programs would damage the database.
 * - `changed`: the database or its log were written to or cut by something other than SQLite.
 * - `unreachable`: the files cannot be looked at or opened again.
 */
export type SurpriseKind = 'moved' | 'log' | 'index' | 'changed' | 'unreachable'

/** Thrown where nothing may be acknowledged any more. */
export class Surprise extends Error {
  override readonly name = 'Surprise'
  readonly kind: SurpriseKind

  /** @param message a sentence that names files without their folder: callers of the API are told it, too */
  constructor(kind: SurpriseKind, message: string) {
    super(message)
    this.kind = kind
  }
}
