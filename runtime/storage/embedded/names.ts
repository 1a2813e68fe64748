import { lstatSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

/** The files of an embedded store, by what they are for. Absolute paths. */
export interface StoreFiles {
  readonly directory: string
  /** What was committed, as of the last checkpoint. */
  readonly database: string
  /** What was committed since. */
  readonly log: string
  /** Where in the log each page is: SQLite's own, made anew from the log when it is gone. */
  readonly index: string
  /** Held while a process owns the folder. */
  readonly lock: string
  /** How far the store has come: tells the next start what must be there. */
  readonly mark: string
}

/** Where the files of a data folder are; SQLite looks for its log beside what a symbolic link leads to. */
export function filesOf(directory: string): StoreFiles {
  const database = join(directory, 'tocsin.db')
  const beside = lstatSync(database, { throwIfNoEntry: false })?.isSymbolicLink() ? target(database) : database
  return {
    directory,
    database,
    log: `${beside}-wal`,
    index: `${beside}-shm`,
    lock: join(directory, 'owner.lock'),
    mark: join(directory, 'tocsin.mark'),
  }
}

function target(link: string): string {
  try {
    return realpathSync(link)
  } catch {
    // It leads nowhere: opening it says so.
    return link
  }
}
