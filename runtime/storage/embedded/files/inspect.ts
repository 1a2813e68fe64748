import { existsSync, lstatSync, renameSync } from 'node:fs'
import { basename } from 'node:path'
import { type Millis, timeText } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { lastingIdentity, stateAt } from './file-state.ts'
import { type FoundStore, readStore, readStoreWithoutLog } from './found-store.ts'
import { bootId, type FoundMark, type Mark, type Progress, readMark } from './mark.ts'
import { filesOf, type StoreFiles } from './names.ts'
import type { Notice } from './notice.ts'
import { isWhole, rescuesOf, stampOf, takeUp } from './rescue.ts'

export interface Inspected {
  /**
   * Whether the folder is a copy. The original may have been used since, and may already have done what this
   * store would do next.
   */
  readonly copied: boolean
  /** Whether `tocsin.mark` proves that the store knows every number that was given. */
  readonly numbersAreKnown: boolean
}

/**
 * Checks that a folder has everything that was acknowledged, before the store is opened. Repairs what can be
 * repaired safely, and reports each repair. After that, the log may have another path: see `filesOf`.
 * @throws TocsinError `store_incomplete`, `store_damaged`, and the errors of reading files
 */
export function inspect(files: StoreFiles, now: Millis, notice: (notice: Notice) => void): Inspected {
  refuseUnfinished(files)
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
      warn(`${files.mark} is ${found.kind}: Tocsin cannot tell whether the store has everything that was acknowledged.`)
    if (store.kind !== 'absent')
      for (const path of rescuesOf(files)) warn(`${path} is a copy that an earlier process made. The store does not need it: remove it.`)
    return { copied, numbersAreKnown: store.kind !== 'store' || store.progress.numbers === 0 || vouched }
  }
  if (mark && store.kind === 'store' && isLogStale(files, mark, store.progress)) {
    const aside = setAside(files.log, now)
    warn(`${files.log} is older than the database beside it, which has everything that was acknowledged. It was renamed to ${aside}.`)
    return { copied, numbersAreKnown: vouched }
  }
  if (copy === null) {
    if (store.kind === 'damaged') throw new TocsinError('store_damaged', problem ?? '')
    if (mark) throw lost(files, mark, problem ?? '')
    return { copied: false, numbersAreKnown: true }
  }
  replace(files, copy, now)
  warn(`${problem ?? `${files.database} is an older copy.`} ${copy} had everything that was acknowledged and was moved to ${files.database}.`)
  // The copy was made after the last acknowledgement, so it has every number.
  return { copied: false, numbersAreKnown: true }
}

/** Puts a copy in the place of the store, and renames the files that were there. */
function replace(files: StoreFiles, copy: string, now: Millis): void {
  setAside(files.database, now)
  // SQLite would read any log beside the copy into it. If the database was a symbolic link, `files.log` is
  // the log of the link's target, and stays with it. So ask again which log belongs to a file at this path.
  const place = filesOf(files.directory)
  for (const path of [place.log, place.index]) setAside(path, now)
  takeUp(copy, place)
}

/**
 * Returns the newest rescued copy that has more than the folder. Null if there is none.
 * @param doubtful whether something is wrong with the store in the folder; then any copy that has everything
 * acknowledged is good enough
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

/**
 * Returns a sentence about what is wrong with a data folder that no process has open. Null if nothing is
 * known to be wrong.
 */
export function problemIn(files: StoreFiles): string | null {
  return problemOf(files, readMark(files.mark), readStore(files.database, files.log))
}

/** Refuses an unfinished backup: the process that made it was killed. @throws TocsinError `store_incomplete` */
export function refuseUnfinished({ directory, database, unfinished }: StoreFiles): void {
  if (existsSync(database) || !existsSync(unfinished)) return
  const message = `${directory} is a backup that was not finished: it has ${basename(unfinished)} and no ${basename(database)}.`
  throw new TocsinError('store_incomplete', message, [], { remedy: 'Use another backup, and remove this folder.' })
}

function problemOf(files: StoreFiles, found: FoundMark, store: FoundStore): string | null {
  const { database } = files
  if (found.kind !== 'mark') return store.kind === 'absent' ? `There is no ${database}.` : damageOf(database, store)
  const { mark } = found
  switch (store.kind) {
    case 'absent':
      return mark.commits === 0 ? null : `${database} is missing.`
    case 'damaged':
      return damageOf(database, store)
    case 'blank':
      return `${database} has no tables.`
    case 'store': {
      const { progress } = store
      if (progress.store !== mark.store) return `${database} belongs to another store than ${files.mark}.`
      if (progress.commits < mark.commits)
        return `${database} lacks ${lacking(mark, progress)}.${found.copied ? ' The folder is a copy: it was made while Tocsin ran, or its files are of different ages.' : ''}`
      return !found.copied && isMispaired(files, mark, progress)
        ? `${database} is not as Tocsin left it: it was replaced, or another program wrote to it. ${basename(files.log)} does not belong to it.`
        : null
    }
  }
}

function damageOf(database: string, store: FoundStore): string | null {
  return store.kind === 'damaged' ? `${database} is damaged (${store.why}).` : null
}

function lacking(mark: Mark, { commits, numbers }: Progress): string {
  return `the last ${mark.commits - commits} commits that were acknowledged, with ${mark.numbers - numbers} numbers of alerts and cases (the last at ${timeText(mark.at)})`
}

/**
 * Returns whether the log beside the database was written for another file. SQLite does not notice that. File
 * times prove it only until the machine restarts. A mark that is older than the database proves nothing.
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

/**
 * Returns whether the log is an old one that somebody put there: the database has everything, but only
 * without this log.
 */
function isLogStale(files: StoreFiles, mark: Mark, withLog: Progress): boolean {
  if (!hasLog(files)) return false
  const alone = readStoreWithoutLog(files.database)
  return alone.kind === 'store' && isWhole(alone.progress, mark) && alone.progress.commits > withLog.commits
}

/**
 * Renames a file that is in the way. Does not delete it, because somebody may want it. Returns the new path,
 * or null if there is no such file.
 */
export function setAside(path: string, now: Millis): string | null {
  if (!isTaken(path)) return null
  const base = `${path}.replaced-${stampOf(now)}`
  const aside = isTaken(base) ? `${base}-${process.pid}` : base
  renameSync(path, aside)
  return aside
}

/** Returns whether a path has a file, a folder, or a link, even one that leads to nothing. */
function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function lost(files: StoreFiles, mark: Mark, problem: string): TocsinError {
  const copies = rescuesOf(files)
  const trouble = mark.trouble === null ? '' : ` The last process said: ${mark.trouble}`
  const others = copies.length === 0 ? '' : ` None of ${copies.join(', ')} has all of it.`
  return new TocsinError('store_incomplete', `${problem}${trouble}${others}`, [], {
    remedy: `Put the right files back into ${files.directory} (tocsin.db with its tocsin.db-wal, or a backup). To continue without the missing data: tocsin store accept-loss --data ${files.directory}`,
  })
}
