import { existsSync, renameSync } from 'node:fs'
import { basename } from 'node:path'
import type { Millis } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import { lastingIdentity, stateAt } from './file-state.ts'
import { type FoundStore, readStore, readStoreWithoutLog } from './found-store.ts'
import { bootId, type FoundMark, type Mark, type Progress, readMark } from './mark.ts'
import type { StoreFiles } from './names.ts'
import type { Notice } from './notice.ts'
import { isWhole, rescuesOf, stampOf, takeUp } from './rescue.ts'

export interface Inspected {
  /** Whether the folder was copied: what it was copied from may have gone on, and done what this store has yet to do. */
  readonly copied: boolean
  /** Whether `tocsin.mark` vouches that no number was given but those that the store knows of. */
  readonly numbersAreKnown: boolean
}

/**
 * Before a store is opened: whether its folder has all that was acknowledged. What a start can certainly put right, it does, and says so.
 * @throws TocsinError `store_incomplete`, `store_damaged`, and those of reading files
 */
export function inspect(files: StoreFiles, now: Millis, notice: (notice: Notice) => void): Inspected {
  const found = readMark(files.mark)
  const store = readStore(files.database, files.log)
  const warn = (message: string): void => notice({ level: 'warn', message })
  const mark = found.kind === 'mark' ? found.mark : null
  const copied = found.kind === 'mark' && found.copied
  const vouched = found.kind === 'mark' && !found.copied
  const problem = problemOf(files, found, store)
  const copy = furtherCopy(files, mark, store, problem !== null)
  if (problem === null && copy === null) {
    if (mark === null && store.kind === 'store')
      warn(`${files.mark} is ${found.kind}: whether the store has all that was acknowledged cannot be told.`)
    if (store.kind !== 'absent')
      for (const path of rescuesOf(files)) warn(`${path} is a copy that an earlier process made. The store does not need it: remove it.`)
    return { copied, numbersAreKnown: store.kind !== 'store' || store.progress.numbers === 0 || vouched }
  }
  if (mark && store.kind === 'store' && isLogStale(files, mark, store.progress)) {
    const aside = setAside(files.log, now)
    warn(`${files.log} is older than the database beside it, which has all that was acknowledged: it is ${aside} now.`)
    return { copied, numbersAreKnown: vouched }
  }
  if (copy === null) {
    if (store.kind === 'damaged') throw new TocsinError('store_damaged', problem ?? '')
    if (mark) throw lost(files, mark, problem ?? '')
    return { copied: false, numbersAreKnown: true }
  }
  for (const path of [files.database, files.log, files.index]) setAside(path, now)
  takeUp(copy, files)
  warn(`${problem ?? `${files.database} is an older copy.`} ${copy} had all that was acknowledged and is ${files.database} now.`)
  // It was written when nothing was acknowledged any more.
  return { copied: false, numbersAreKnown: true }
}

/**
 * The copy that an earlier process made when its files were taken away, where it has more than what is in the folder now; null: there is none.
 * @param doubtful whether something is wrong with what is in the folder
 */
function furtherCopy(files: StoreFiles, mark: Mark | null, store: FoundStore, doubtful: boolean): string | null {
  const isFurther = (path: string): boolean => {
    const copied = readStore(path, `${path}-wal`)
    if (copied.kind !== 'store' || (mark && !isWhole(copied.progress, mark))) return false
    if (doubtful) return true
    return store.kind === 'store' && store.progress.store === copied.progress.store && store.progress.commits < copied.progress.commits
  }
  return rescuesOf(files).findLast(isFurther) ?? null
}

/** What is missing in a data folder that no process has open, as a sentence; null: nothing that can be told. */
export function problemIn(files: StoreFiles): string | null {
  return problemOf(files, readMark(files.mark), readStore(files.database, files.log))
}

/** What is missing in a folder, as a sentence; null: nothing that can be told. */
function problemOf(files: StoreFiles, found: FoundMark, store: FoundStore): string | null {
  const { database } = files
  if (found.kind !== 'mark') return store.kind === 'absent' ? `There is no ${database}.` : damageOf(database, store)
  const { mark } = found
  switch (store.kind) {
    case 'absent':
      return mark.commits === 0 ? null : `${database} is missing.`
    case 'damaged':
      return damageOf(database, store)
    case 'early':
      return `${database} is of an earlier version than the one that wrote ${files.mark}.`
    case 'store': {
      const { progress } = store
      if (progress.store !== mark.store) return `${database} is not the store that this folder had.`
      if (progress.commits < mark.commits)
        return `${database} lacks ${lacking(mark, progress)}.${found.copied ? ' The folder is a copy: it was made while Tocsin ran, or of parts of different age.' : ''}`
      return !found.copied && isMispaired(files, mark, progress)
        ? `${database} is not as Tocsin left it: it was replaced, or something else wrote to it, and ${basename(files.log)} does not fit it.`
        : null
    }
  }
}

function damageOf(database: string, store: FoundStore): string | null {
  return store.kind === 'damaged' ? `${database} is damaged (${store.why}).` : null
}

function lacking(mark: Mark, { commits, numbers }: Progress): string {
  const last = new Date(mark.at).toISOString()
  return `the last ${mark.commits - commits} commits that were acknowledged, with ${mark.numbers - numbers} numbers of alerts and cases (the last at ${last})`
}

/**
 * Whether the database is another file than the one that the log beside it was written for, which SQLite itself does not notice. Times of files
 * are exact as long as the machine runs on; a mark that is older than the database says nothing of it.
 */
function isMispaired(files: StoreFiles, mark: Mark, { commits }: Progress): boolean {
  const database = stateAt(files.database)
  if (!database || !mark.database || commits > mark.commits + 1) return false
  const { identity, bytes, written } = mark.database
  const isMarked = identity === lastingIdentity(files.database, database) && bytes === database.bytes
  if (mark.trouble !== null && !isMarked) return true
  if (mark.trouble === null && !hasLog(files)) return false
  return mark.boot !== null && mark.boot === bootId && !(isMarked && written === database.written)
}

function hasLog({ log }: StoreFiles): boolean {
  return (stateAt(log)?.bytes ?? 0) > 0
}

/** Whether the database has everything as long as nobody reads the log beside it: an old one, put there. */
function isLogStale(files: StoreFiles, mark: Mark, withLog: Progress): boolean {
  if (!hasLog(files)) return false
  const alone = readStoreWithoutLog(files.database)
  return alone.kind === 'store' && isWhole(alone.progress, mark) && alone.progress.commits > withLog.commits
}

/** Renames what stands in the way; nothing is removed that somebody may want. */
export function setAside(path: string, now: Millis): string | null {
  if (!existsSync(path)) return null
  const base = `${path}.replaced-${stampOf(now)}`
  const aside = existsSync(base) ? `${base}-${process.pid}` : base
  renameSync(path, aside)
  return aside
}

function lost(files: StoreFiles, mark: Mark, problem: string): TocsinError {
  const copies = rescuesOf(files)
  const trouble = mark.trouble === null ? '' : ` The last process said: ${mark.trouble}`
  const others = copies.length === 0 ? '' : ` None of ${copies.join(', ')} has all of it.`
  return new TocsinError('store_incomplete', `${problem}${trouble}${others}`, [], {
    remedy: `Put the right files back into ${files.directory} (tocsin.db with its tocsin.db-wal, or a backup). To go on without what is missing: tocsin store accept-loss --data ${files.directory}`,
  })
}
