import type { DatabaseSync } from 'node:sqlite'

/** While the store fits, all its pages stay in memory: if somebody cuts the file, the caretaker can still copy everything. */
const wholeStore = 64 * 1024 * 1024
/** For a larger store, which memory could not save. A commit looks through all pages in memory, so fewer of them cost less. */
const ofLargeStore = 16 * 1024 * 1024

/**
 * Says how many pages the connection keeps in memory.
 * @param bytes the size of the database
 */
export function fitPageCache(database: DatabaseSync, bytes: number): void {
  // A negative number is in KiB.
  database.prepare(`PRAGMA cache_size = -${(bytes > wholeStore ? ofLargeStore : wholeStore) / 1024}`).run()
}
