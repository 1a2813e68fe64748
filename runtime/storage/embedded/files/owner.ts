import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { TocsinError } from '../../../errors/index.ts'
import { fileFault, keepPrivate } from '../../../files/index.ts'
import { type FileState, isSameFile, stateAt } from './file-state.ts'
import { faultOf, isBusy, isDamage } from './found-store.ts'
import { holdersOf } from './holders.ts'

export interface Ownership {
  /** Locks the file at the path again if somebody has removed or replaced it. Returns whether it did. */
  renew(): boolean
  release(): void
}

/**
 * Makes this process the only owner of a data folder while it lives.
 *
 * It holds an SQLite lock on a file beside the store. The operating system drops the lock when the process
 * dies, however it dies, so nobody ever has to clear a stale lock. A second process fails at once. If
 * somebody removes the file, the lock on the database itself still keeps a second process out.
 * @throws TocsinError `store_locked`, `folder_unusable`, `disk_full`
 */
export function takeOwnership(path: string): Ownership {
  let lock = take(path)
  let held = stateAt(path)
  const folder = stateAt(dirname(path))
  return {
    renew() {
      try {
        if (isSame(stateAt(path), held) || !isSame(stateAt(dirname(path)), folder)) return false
        const next = take(path)
        lock.close()
        lock = next
        held = stateAt(path)
        return true
      } catch {
        // Another process has locked the new file, or the file cannot be created. The lock on the database
        // still keeps other processes out.
        return false
      }
    },
    release: () => lock.close(),
  }
}

function isSame(one: FileState | null, other: FileState | null): boolean {
  return one !== null && other !== null && isSameFile(one, other)
}

function take(path: string): DatabaseSync {
  makePrivate(path)
  const lock = new DatabaseSync(path)
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if (isBusy(error)) throw new TocsinError('store_locked', `Another process owns ${path}${holdersOf(path)}.`, [], { cause: error })
    if (!isDamage(error)) throw faultOf(path, error)
    const remedy = 'It holds no data: remove it while no Tocsin runs on this folder.'
    throw new TocsinError('folder_unusable', `${path} is not the lock file that Tocsin created.`, [], { cause: error, remedy })
  }
}

/**
 * Creates the lock file before SQLite does, so that only its owner may read it. Does not open an existing
 * file, because closing it would drop the lock.
 */
function makePrivate(path: string): void {
  try {
    if (stateAt(path) === null) closeSync(openSync(path, 'a', 0o600))
    keepPrivate(path)
  } catch (error) {
    throw fileFault(path, 'be written', error)
  }
}
