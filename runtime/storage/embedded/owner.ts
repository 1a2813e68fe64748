import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { TocsinError } from '../../errors/index.ts'

/**
 * Makes this process the one owner of a data folder, for as long as it lives.
 *
 * The lock is SQLite's own, held on a file beside the store: the operating system drops it when the process dies, however it
 * dies, so that no stale lock is ever left to clear by hand.
 * @throws TocsinError `store_locked`
 */
export function takeOwnership(directory: string): { release(): void } {
  const lock = new DatabaseSync(join(directory, 'owner.lock'))
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    throw new TocsinError('store_locked', `Another process owns ${directory}.`, [], { cause: error })
  }
  return { release: () => lock.close() }
}
