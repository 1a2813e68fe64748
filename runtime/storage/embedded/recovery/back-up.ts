import { closeSync, copyFileSync, existsSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Millis } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { fileFault, makeFolder, systemCode } from '../../../files/index.ts'
import { checkWhole } from '../database/index.ts'
import { faultOf, filesOf, MarkFile, problemIn, readStore, refuseUnfinished, settle } from '../files/index.ts'

/**
 * Copies a store into a new folder that can be used as a data folder. Also works while a process has the
 * store open. The copy of the database is consistent and checked.
 * @param companions names of the files to copy beside the database
 * @throws TocsinError `folder_unusable`, `disk_full`, `store_damaged`, `store_incomplete`
 */
export function backUp(directory: string, target: string, companions: readonly string[], now: Millis): void {
  mustBeDataFolder(directory)
  const { database: source, log } = filesOf(directory)
  if (readStore(source, log).kind === 'absent') throw new TocsinError('store_incomplete', `${source} is missing: there is nothing to back up.`)
  const stood = existsSync(target)
  forBackup(() => makeFolder(target))
  if (readdirSync(target).length > 0)
    throw new TocsinError('folder_unusable', `${target} is not empty.`, [], { remedy: 'Name a folder that does not exist yet.' })
  const { database: copy, unfinished: draft, mark } = filesOf(target)
  // The database gets its name last. If this process is killed before that, nobody takes the folder for a backup.
  try {
    forBackup(() => closeSync(openSync(draft, 'wx', 0o600)), target)
    copyDatabase(source, draft)
    leaveMark(draft, mark, now)
    forBackup(() => {
      for (const name of companions) copyPrivate(join(directory, name), join(target, name))
      settle(draft)
      renameSync(draft, copy)
      settle(target)
    }, target)
  } catch (error) {
    for (const name of readdirSync(target)) rmSync(join(target, name), { force: true })
    // A folder that stood there may be the mount point of a disk, which cannot be removed.
    if (!stood) rmSync(target, { recursive: true })
    throw error instanceof TocsinError ? error : faultOf(copy, error)
  }
}

/**
 * Does something with the folder of the backup.
 * @param path what cannot be written if the system refuses it
 * @throws TocsinError `folder_unusable`, `disk_full`, with a remedy that is about the backup and not about the data folder
 */
function forBackup(act: () => void, path = ''): void {
  try {
    act()
  } catch (error) {
    const fault = error instanceof TocsinError ? error : systemCode(error) === null ? null : fileFault(path, 'be written', error)
    throw fault === null ? error : ofBackup(fault)
  }
}

function ofBackup({ code, message, cause }: TocsinError): TocsinError {
  const remedy =
    code === 'disk_full'
      ? 'Free some space on the disk of the backup (df -h, df -i), or name a folder on another disk.'
      : 'Name another folder for the backup, in which this user may write.'
  return new TocsinError(code, message, [], { cause, remedy })
}

function copyDatabase(source: string, copy: string): void {
  const database = new DatabaseSync(source, { readOnly: true, timeout: 5_000 })
  try {
    database.prepare('VACUUM INTO ?').run(copy)
  } catch (error) {
    // The source is only read, so a disk that is full is that of the copy.
    const fault = faultOf(copy, error)
    throw fault.code === 'disk_full' ? ofBackup(fault) : faultOf(source, error)
  } finally {
    database.close()
  }
  const problems = check(copy)
  if (problems.length > 0) throw new TocsinError('store_damaged', `The copy is damaged: ${problems.join('; ')}`)
}

/** Marks the folder as a copy. It keeps that mark even if somebody moves it to the place of the original. */
function leaveMark(copy: string, path: string, now: Millis): void {
  const found = readStore(copy, `${copy}-wal`)
  if (found.kind !== 'store') throw new TocsinError('store_incomplete', 'The store has no tables: there is nothing to back up.')
  const mark = new MarkFile(path)
  mark.write({ ...found.progress, at: now, database: null, trouble: null }, 'backup')
  mark.settle()
  mark.close()
}

function check(path: string): readonly string[] {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return checkWhole(database)
  } finally {
    database.close()
  }
}

function copyPrivate(from: string, to: string): void {
  try {
    copyFileSync(from, to)
    settle(to)
  } catch (error) {
    // A key may be missing, because it may come from the environment.
    if (systemCode(error) !== 'ENOENT') throw error
  }
}

/**
 * Checks whether acknowledged data is missing from a data folder, and whether its database is damaged.
 * Changes nothing.
 * @returns the problems, as sentences
 * @throws TocsinError `folder_unusable` for a folder that never had a store, `store_incomplete` for an unfinished backup
 */
export function examine(directory: string): readonly string[] {
  mustBeDataFolder(directory)
  const files = filesOf(directory)
  const problem = problemIn(files)
  if (problem !== null) return [problem]
  if (readStore(files.database, files.log).kind === 'absent') return [`There is no ${files.database}.`]
  return check(files.database).map((text) => `${files.database}: ${text}`)
}

/**
 * Whoever names a wrong folder must not be told that data is missing or damaged.
 * @throws TocsinError `folder_unusable`, `store_incomplete` for an unfinished backup
 */
export function mustBeDataFolder(directory: string): void {
  const files = filesOf(directory)
  refuseUnfinished(files)
  const { database, mark } = files
  if (existsSync(database) || existsSync(mark)) return
  throw new TocsinError('folder_unusable', `${directory} is no data folder of Tocsin: it has neither tocsin.db nor tocsin.mark.`, [], {
    remedy: 'Name the data folder with --data (TOCSIN_DATA).',
  })
}
