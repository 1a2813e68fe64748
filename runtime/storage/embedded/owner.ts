import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { TocsinError } from '../../errors/index.ts'
import { fileFault, keepPrivate } from '../../files/index.ts'
import { type FileState, isSameFile, stateAt } from './file-state.ts'
import { faultOf, isBusy, isDamage } from './found-store.ts'
import { holdersOf } from './holders.ts'

export interface Ownership {
  /** Locks the file at the path anew, where somebody has removed or replaced it. @returns whether that was necessary and done */
  renew(): boolean
  release(): void
}

/**
 * Makes this process the one owner of a data folder, for as long as it lives.
 *
 * The lock is SQLite's own, held on a file beside the store: the operating system drops it when the process dies, however it
 * dies, so that no stale lock is ever left to clear by hand. It tells a second process at once; what keeps that out also where the file was removed
 * is the lock on the database itself.
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
        // Another process has it, which the database's lock keeps out; or nothing can be made there.
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
    const remedy = 'Nothing is in it: remove it while no Tocsin runs on this folder.'
    throw new TocsinError('folder_unusable', `${path} is not the file that Tocsin made.`, [], { cause: error, remedy })
  }
}

/** Before SQLite makes it, and so for its owner alone. Not while it is held: closing it here would drop the lock. */
function makePrivate(path: string): void {
  try {
    if (stateAt(path) === null) closeSync(openSync(path, 'a', 0o600))
    keepPrivate(path)
  } catch (error) {
    throw fileFault(path, 'be written', error)
  }
}
