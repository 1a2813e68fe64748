import { closeSync, copyFileSync, openSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Millis } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { fileFault, makeFolder, systemCode } from '../../../files/index.ts'
import { checkWhole } from '../database/index.ts'
import { faultOf, filesOf, MarkFile, problemIn, readStore, settle } from '../files/index.ts'

/**
 * Copies a store into a new folder that can be used as a data folder. Also works while a process has the
 * store open. The copy of the database is consistent and checked.
 * @param companions names of the files to copy beside the database
 * @throws TocsinError `folder_unusable`, `disk_full`, `store_damaged`, `store_incomplete`
 */
export function backUp(directory: string, target: string, companions: readonly string[], now: Millis): void {
  const { database: source, log } = filesOf(directory)
  if (readStore(source, log).kind === 'absent') throw new TocsinError('store_incomplete', `${source} is missing: there is nothing to back up.`)
  makeFolder(target)
  if (readdirSync(target).length > 0)
    throw new TocsinError('folder_unusable', `${target} is not empty.`, [], { remedy: 'Name a folder that does not exist yet.' })
  const copy = join(target, basename(source))
  try {
    closeSync(openSync(copy, 'wx', 0o600))
    copyDatabase(source, copy)
    leaveMark(copy, filesOf(target).mark, now)
    for (const name of companions) copyPrivate(join(directory, name), join(target, name))
    for (const path of [copy, target]) settle(path)
  } catch (error) {
    rmSync(target, { recursive: true })
    throw error instanceof TocsinError ? error : systemCode(error) === null ? faultOf(copy, error) : fileFault(target, 'be written', error)
  }
}

function copyDatabase(source: string, copy: string): void {
  const database = new DatabaseSync(source, { readOnly: true, timeout: 5_000 })
  try {
    database.prepare('VACUUM INTO ?').run(copy)
  } catch (error) {
    throw faultOf(source, error)
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
 */
export function examine(directory: string): readonly string[] {
  const files = filesOf(directory)
  const problem = problemIn(files)
  if (problem !== null) return [problem]
  if (readStore(files.database, files.log).kind === 'absent') return [`There is no ${files.database}.`]
  return check(files.database).map((text) => `${files.database}: ${text}`)
}
