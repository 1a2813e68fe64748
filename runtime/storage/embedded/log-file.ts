import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { TocsinError } from '../../errors/index.ts'

/**
 * The log of an open database: what was committed and is not in its file yet. SQLite goes on writing into a log that somebody has taken away, and all
 * that is in it is gone when the process dies.
 */
export class LogFile {
  readonly #database: DatabaseSync
  readonly #path: string
  #gone = false

  /** @param file of the database, which has been written to */
  constructor(database: DatabaseSync, file: string) {
    this.#database = database
    this.#path = `${file}-wal`
  }

  /**
   * Nothing that was committed may be acknowledged before it is known that the log was still there. Once it is not, what it holds is brought into the
   * database's file, where the next process finds it.
   * @throws TocsinError `store_unavailable`
   */
  mustBeThere(): void {
    this.#gone ||= !existsSync(this.#path)
    if (!this.#gone) return
    this.#database.exec('PRAGMA wal_checkpoint(PASSIVE)')
    throw new TocsinError('store_unavailable', `${this.#path} was taken away while the store was open. Start Tocsin again.`)
  }
}
