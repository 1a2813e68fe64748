import { closeSync, copyFileSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Millis } from '../../../domain/index.ts'
import { messageOf } from '../../../errors/index.ts'
import type { Progress } from './mark.ts'
import type { StoreFiles } from './names.ts'
import { readProgress } from './progress.ts'

/** A copy of a store whose files were removed or changed, made from what SQLite still had open. */
export interface Rescued {
  readonly path: string
  /** Whether it has everything that was acknowledged, and passed SQLite's check. */
  readonly complete: boolean
  /** What is wrong with it. Null: nothing. */
  readonly problem: string | null
}

/** A file of the data folder that a copy of the store needs too, with its last known contents. */
export interface Companion {
  readonly name: string
  readonly contents: Uint8Array
}

export interface RescueRequest {
  /** The connection that still sees the data. */
  readonly database: DatabaseSync
  readonly files: StoreFiles
  /** Whether the data folder still exists. If so, the copy goes into it. Otherwise it goes beside it. */
  readonly folderIsThere: boolean
  /** The count of commits and numbers that were acknowledged. */
  readonly progress: Progress
  readonly companions: readonly Companion[]
  readonly now: Millis
}

const incomplete = '.incomplete'

/** Returns a time as `20260130T120305Z`. Sorts by time, and is valid in file names everywhere. */
export function stampOf(now: Millis): string {
  return new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')
}

/**
 * Writes what a connection still sees into a new file. Tries the data folder, then a folder beside it, then
 * the system's temporary folder.
 * @throws Error with a message for each place that was tried
 */
export function rescue({ database, files, folderIsThere, progress, companions, now }: RescueRequest): Rescued {
  const stamp = stampOf(now)
  const beside = `${files.directory}.rescued-${stamp}`
  const last = join(tmpdir(), `${basename(files.directory)}.rescued-${stamp}`)
  const places: readonly (() => string)[] = [
    ...(folderIsThere ? [() => `${files.database}.rescued-${stamp}`] : []),
    ...[beside, last].map((folder) => () => {
      mkdirSync(folder, { mode: 0o700 })
      for (const { name, contents } of companions) writePrivate(join(folder, name), contents)
      return join(folder, basename(files.database))
    }),
  ]
  const problems: string[] = []
  for (const place of places) {
    try {
      return copyTo(database, place(), progress)
    } catch (error) {
      problems.push(messageOf(error))
    }
  }
  throw new Error(problems.join('; '))
}

function copyTo(database: DatabaseSync, path: string, progress: Progress): Rescued {
  const draft = `${path}${incomplete}`
  // Create the file before SQLite does, so that only its owner may read it.
  closeSync(openSync(draft, 'wx', 0o600))
  try {
    database.prepare('VACUUM INTO ?').run(draft)
    const problem = problemOf(draft, progress)
    settle(draft)
    if (problem !== null) return { path: draft, complete: false, problem }
    renameSync(draft, path)
    settle(dirname(path))
    return { path, complete: true, problem: null }
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Returns what is wrong with a copy. Null: nothing. */
function problemOf(path: string, progress: Progress): string | null {
  const copy = new DatabaseSync(path, { readOnly: true })
  try {
    const [first] = copy.prepare('PRAGMA quick_check(1)').all()
    if (first?.['quick_check'] !== 'ok') return String(first?.['quick_check'])
    const found = readProgress(copy)
    return isWhole(found, progress) ? null : `it ends ${progress.commits - found.commits} commits before what was acknowledged`
  } finally {
    copy.close()
  }
}

/** Returns whether a store has everything that was acknowledged. */
export function isWhole(found: Progress, acknowledged: Progress): boolean {
  return found.store === acknowledged.store && found.commits >= acknowledged.commits
}

function writePrivate(path: string, contents: Uint8Array): void {
  const file = openSync(path, 'wx', 0o600)
  writeSync(file, contents)
  fsyncSync(file)
  closeSync(file)
}

/** Flushes a file, or the entries of a folder, to the disk. */
export function settle(path: string): void {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}

/** Removes a copy that is no longer needed, because the store's own files came back. */
export function dropRescue({ path }: Rescued, files: StoreFiles): void {
  const folder = dirname(path)
  if (folder === files.directory) rmSync(path, { force: true })
  else rmSync(folder, { recursive: true, force: true })
}

/**
 * Returns the rescued copies of a store, in its folder and in folders beside it, oldest first. Ignores files
 * of other users.
 */
export function rescuesOf(files: StoreFiles): string[] {
  const name = basename(files.database)
  const own = list(files.directory).filter((entry) => entry.startsWith(`${name}.rescued-`) && !entry.endsWith(incomplete))
  const beside = list(dirname(files.directory)).filter((entry) => entry.startsWith(`${basename(files.directory)}.rescued-`))
  return [
    ...own.map((entry) => join(files.directory, entry)),
    ...beside.map((entry) => join(dirname(files.directory), entry, name)).filter((path) => existsSync(path)),
  ]
    .filter((path) => statSync(path).uid === process.getuid?.())
    .toSorted()
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/**
 * Moves a copy into the place of the store. Moves files that were saved with it too, unless the folder has a
 * file of that name.
 */
export function takeUp(path: string, files: StoreFiles): void {
  const folder = dirname(path)
  if (folder !== files.directory)
    for (const name of list(folder).filter((entry) => entry !== basename(path)))
      if (!existsSync(join(files.directory, name))) move(join(folder, name), join(files.directory, name))
  move(path, files.database)
  settle(files.directory)
  if (folder !== files.directory && list(folder).length === 0) rmSync(folder, { recursive: true })
}

/** Renames a file. Copies it if the data folder is on another disk. */
function move(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EXDEV') throw error
    const draft = `${to}.draft`
    copyFileSync(from, draft)
    settle(draft)
    renameSync(draft, to)
    rmSync(from)
  }
}
