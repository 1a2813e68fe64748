import { accessSync, constants, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { messageOf, TocsinError } from '../../../errors/index.ts'
import { fileFault } from '../../../files/index.ts'
import { stateAt } from './file-state.ts'
import type { Progress } from './mark.ts'
import { readProgress } from './progress.ts'

/**
 * What a database file contains. `blank`: it has none of Tocsin's tables, because a process died at its first
 * start.
 */
export type FoundStore =
  | { readonly kind: 'store'; readonly progress: Progress }
  | { readonly kind: 'absent' | 'blank' }
  | { readonly kind: 'damaged'; readonly why: string }

/**
 * Reads how many commits and numbers a database has, without changing it.
 * @throws TocsinError `folder_unusable`, `disk_full`, `store_locked`
 */
export function readStore(database: string, log: string): FoundStore {
  // A new store is only in its log. Its database file is empty.
  return stateAt(database) === null || sizeOf(database) + sizeOf(log) === 0 ? { kind: 'absent' } : look(database, database)
}

/**
 * Reads only the database file, as if there were no log.
 * @throws TocsinError `folder_unusable`, `disk_full`, `store_locked`
 */
export function readStoreWithoutLog(database: string): FoundStore {
  return sizeOf(database) === 0 ? { kind: 'absent' } : look(database, `${pathToFileURL(database).href}?immutable=1`)
}

function sizeOf(path: string): number {
  return stateAt(path)?.bytes ?? 0
}

function look(path: string, name: string): FoundStore {
  if (!statSync(path).isFile()) return { kind: 'damaged', why: 'it is not a file' }
  let database: DatabaseSync | null = null
  try {
    database = new DatabaseSync(name, { readOnly: true, timeout: 5_000 })
    const counts = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'identity'").get() !== undefined
    return counts ? { kind: 'store', progress: readProgress(database) } : { kind: 'blank' }
  } catch (error) {
    const fault = faultOf(path, error)
    if (fault.code === 'store_damaged') return { kind: 'damaged', why: messageOf(error) }
    throw fault
  } finally {
    database?.close()
  }
}

/** SQLite's primary result codes: https://sqlite.org/rescode.html. */
const codes = { busy: 5, locked: 6, readonly: 8, io: 10, corrupt: 11, full: 13, cannotOpen: 14, noDatabase: 26 }

/** Returns whether an SQLite error says that the file is damaged. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error)
  return code === codes.corrupt || code === codes.noDatabase
}

/** Returns whether SQLite failed because somebody else has locked the database. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error)
  return code === codes.busy || code === codes.locked
}

function sqliteCode(error: unknown): number | null {
  const { errcode } = (error ?? {}) as { errcode?: unknown }
  return typeof errcode === 'number' ? errcode & 0xff : null
}

/**
 * Returns why a database cannot be opened, with its path. SQLite itself says "unable to open database file"
 * for nearly every reason.
 */
export function faultOf(path: string, error: unknown): TocsinError {
  if (error instanceof TocsinError) return error
  const code = sqliteCode(error)
  const options = { cause: error }
  if (isBusy(error)) return new TocsinError('store_locked', `Another process has ${path} open.`, [], options)
  if (isDamage(error)) return new TocsinError('store_damaged', `${path}: ${messageOf(error)}.`, [], options)
  if (code === codes.full || (code === codes.io && isFull(dirname(path))))
    return fileFault(path, 'be written', Object.assign(new Error(), { code: 'ENOSPC' }))
  if (code === null) return new TocsinError('internal', `${path}: ${messageOf(error)}`, [], options)
  return whatIsInTheWay(path) ?? new TocsinError('folder_unusable', `${path} cannot be opened: ${messageOf(error)} (SQLite ${code}).`, [], options)
}

/** If there is no room for the index of the log, SQLite reports an I/O error instead of a full disk. */
function isFull(directory: string): boolean {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize < roomToStart
}

/** How many bytes the files of an empty store need. */
const roomToStart = 256 * 1024

/** Asks the system which of the files that SQLite needs cannot be read and written. Null if all can. */
function whatIsInTheWay(path: string): TocsinError | null {
  for (const [name, mode] of [
    [dirname(path), constants.R_OK | constants.W_OK | constants.X_OK],
    [path, constants.R_OK | constants.W_OK],
    [`${path}-wal`, constants.R_OK | constants.W_OK],
    [`${path}-shm`, constants.R_OK | constants.W_OK],
  ] as const) {
    try {
      accessSync(name, mode)
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ENOENT') return fileFault(name, 'be read and written', error)
    }
  }
  return null
}
