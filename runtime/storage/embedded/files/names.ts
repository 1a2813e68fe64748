import { lstatSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

/** Absolute paths of the files of an embedded store. */
export interface StoreFiles {
  readonly directory: string
  /** What was committed up to the last checkpoint. */
  readonly database: string
  /** What was committed since the last checkpoint. */
  readonly log: string
  /** SQLite's index of the pages in the log. SQLite rebuilds it from the log if it is missing. */
  readonly index: string
  /** Locked while a process owns the folder. */
  readonly lock: string
  /** Tells the next start how many commits must be there. */
  readonly mark: string
  /** The database of a backup that is being made. It becomes `database` at the end. */
  readonly unfinished: string
}

/**
 * Returns the paths of the files of a data folder. If the database is a symbolic link, SQLite keeps its log
 * beside the link's target.
 */
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
    unfinished: `${database}.partial`,
  }
}

function target(link: string): string {
  try {
    return realpathSync(link)
  } catch {
    // The link is broken. Opening it will fail and report that.
    return link
  }
}
