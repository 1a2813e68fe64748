import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Millis } from '../../../domain/index.ts'
import { messageOf, TocsinError } from '../../../errors/index.ts'
import { fitPageCache } from '../database/index.ts'
import type { ProgressCounter, StoreFiles } from '../files/index.ts'
import { type Companion, dropRescue, filesOf, MarkFile, type Rescued, rescue, setAside, stateAt } from '../files/index.ts'
import type { FromThread } from '../threads/messages.ts'
import { Surprise, type SurpriseKind } from './surprise.ts'
import type { FileWatch } from './watch.ts'

/** How many frames (pages) the log may have before a checkpoint. */
const checkpointEvery = 4_000
/**
 * How many more frames the log may have after a checkpoint that could not copy all of them, because a reader
 * still uses an older state.
 */
const checkpointAgain = 1_000
const lookEvery: Millis = 1_000
/** How long to wait after a failed rescue before the next try. */
const saveAgain: Millis = 10_000

/** Completes the sentence "Nothing is acknowledged …". */
const remedies: Readonly<Record<SurpriseKind, string>> = {
  moved: 'until it is put back or Tocsin is started again',
  log: 'until it is put back or Tocsin is started again',
  index: 'until Tocsin is started again',
  changed: 'until Tocsin is started again',
  unreachable: 'until that is fixed',
}

/** How much what was acknowledged is in danger. A worse surprise needs another way to save it. */
const severities: Readonly<Record<SurpriseKind, number>> = { unreachable: 0, index: 1, log: 2, changed: 3, moved: 3 }

interface Trouble {
  readonly surprise: Surprise
  /** The latest attempt to save what was acknowledged. `done`: the next process will find it. Null: not tried yet. */
  readonly saved: { readonly done: boolean; readonly at: Millis; readonly copy: Rescued | null } | null
}

export interface Charge {
  readonly database: DatabaseSync
  readonly files: StoreFiles
  readonly watch: FileWatch
  readonly counter: ProgressCounter
  /** Names of files in the data folder that a copy of the store needs too. */
  readonly companions: readonly string[]
  readonly tell: (message: FromThread) => void
}

/**
 * Guards the files of an open store. It acknowledges only what the next process would find, writes the mark,
 * makes the checkpoints, and rescues the data if somebody changes or removes the files.
 */
export class Caretaker {
  readonly #charge: Charge
  readonly #kept = new Map<string, Companion>()
  #mark: MarkFile
  #trouble: Trouble | null = null
  #lookedAt: Millis = Number.NEGATIVE_INFINITY
  #nextCheckpoint = 0
  #flushFailed = false

  constructor(charge: Charge, now: Millis) {
    this.#charge = charge
    this.#mark = new MarkFile(charge.files.mark)
    this.#writeMark(now)
    this.#mark.settle()
  }

  /**
   * Call before a transaction. Throws while nothing may be acknowledged. Checks once a second whether the trouble is over.
   * @throws TocsinError `store_unavailable`
   */
  mustBeWell(now: Millis): void {
    if (this.#trouble && this.#isDue(now)) this.#lookAgain(now)
    if (this.#trouble) throw this.#refusal(this.#trouble)
    this.#guard(() => this.#charge.watch.mustBeLatest())
  }

  /** Whether a read would find the last commit. Call before a read outside of a transaction. */
  get isWell(): boolean {
    try {
      if (!this.#trouble) this.#guard(() => this.#charge.watch.mustBeLatest())
    } catch {
      // The next batch of calls, or the next look, says so.
    }
    return this.#trouble === null
  }

  /** Call within a transaction that does not find the last commit. @returns the error to throw */
  missCommits(): TocsinError {
    const message = `${basename(this.#charge.files.database)} was replaced by an older one while Tocsin was running.`
    return this.#refusal(this.#begin(new Surprise('changed', message)))
  }

  /**
   * Call after a commit, before any call is answered.
   * @throws TocsinError `store_unavailable` if the files do not have the commit
   */
  acknowledge(now: Millis): void {
    this.#guard(() => {
      this.#charge.watch.committed()
      this.#writeMark(now)
    })
  }

  /** Does what is due. Call between batches, because it would delay an answer. */
  look(now: Millis): void {
    try {
      if (this.#trouble && this.#isDue(now)) this.#lookAgain(now)
      if (!this.#trouble) this.#guard(() => this.#work(now))
    } catch (error) {
      if (!this.#trouble) this.#charge.tell({ kind: 'fault', message: messageOf(error) })
    }
    if (this.#trouble) this.#save(this.#trouble, now)
  }

  /**
   * Checks the files a last time, and saves what was acknowledged if anything is wrong. Call when all calls
   * are answered, before any connection closes.
   */
  finish(now: Millis): void {
    try {
      if (this.#trouble) this.#lookAgain(now)
      else this.#guard(() => this.#lookAround(now))
    } catch (error) {
      if (!this.#trouble) this.#charge.tell({ kind: 'fault', message: messageOf(error) })
    }
    if (this.#trouble) this.#save(this.#trouble, now, true)
  }

  /** Call before SQLite closes the database, because closing changes the file. */
  beforeClose(now: Millis): void {
    try {
      if (!this.#trouble) this.#writeMark(now, null)
      this.#mark.settle()
    } catch (error) {
      this.#notice('warn', `${this.#charge.files.mark}: ${messageOf(error)}`)
    }
    this.#mark.close()
  }

  #work(now: Millis): void {
    if (this.#isDue(now)) {
      this.#lookAround(now)
      this.#flushMark()
    }
    if (this.#charge.watch.waitingFrames >= Math.max(checkpointEvery, this.#nextCheckpoint)) this.#checkpoint(now)
  }

  #isDue(now: Millis): boolean {
    // Use the absolute difference, because the clock may have been set back.
    return Math.abs(now - this.#lookedAt) >= lookEvery
  }

  #guard(action: () => void): void {
    try {
      action()
    } catch (error) {
      if (!(error instanceof Surprise)) throw unusable(error)
      throw this.#refusal(this.#begin(error))
    }
  }

  /** Begins a trouble that is not saved yet. */
  #begin(surprise: Surprise): Trouble {
    const trouble: Trouble = { surprise, saved: null }
    this.#trouble = trouble
    this.#notice('error', `${surprise.message} Folder: ${this.#charge.files.directory}. Nothing is acknowledged any more.`)
    this.#tellTrouble(false)
    return trouble
  }

  #refusal({ surprise, saved }: Trouble): TocsinError {
    const how = remedies[surprise.kind]
    const whole = saved?.copy?.complete === false ? 'Not all of what was acknowledged could be saved.' : 'What was acknowledged is safe.'
    return new TocsinError('store_unavailable', `${surprise.message} Nothing is acknowledged ${how}.${saved?.done ? ` ${whole}` : ''}`)
  }

  #tellTrouble(busy: boolean): void {
    this.#charge.tell({ kind: 'trouble', why: this.#trouble && this.#refusal(this.#trouble).message, busy })
  }

  #notice(level: 'info' | 'warn' | 'error', message: string): void {
    this.#charge.tell({ kind: 'notice', notice: { level, message } })
  }

  #lookAround(now: Millis): void {
    this.#lookedAt = now
    const { watch, files, companions } = this.#charge
    watch.look()
    for (const name of companions) this.#keep(name)
    if (!this.#mark.isAt(stateAt(files.mark))) {
      this.#mark.close()
      this.#mark = new MarkFile(files.mark)
      this.#writeMark(now)
      this.#notice('warn', `${files.mark} was removed or replaced; Tocsin wrote it again.`)
    }
  }

  #flushMark(): void {
    this.#mark.flush((error) => {
      if (!this.#flushFailed) this.#notice('warn', `${this.#charge.files.mark}: ${error.message}`)
      this.#flushFailed = true
    })
  }

  #keep(name: string): void {
    try {
      this.#kept.set(name, { name, contents: readFileSync(join(this.#charge.files.directory, name)) })
    } catch {
      // The file does not exist yet, is not needed here, or was removed. Keep the contents that were read last.
    }
  }

  /**
   * Checks whether the trouble is over, and acknowledges again if so. That is never so after the files have
   * changed. If the trouble got worse, or the rescued copy is gone, what was acknowledged must be saved again.
   */
  #lookAgain(now: Millis): void {
    this.#lookedAt = now
    const trouble = this.#trouble
    if (!trouble) return
    const found = this.#surpriseNow(trouble)
    const worse = found !== null && severities[found.kind] > severities[trouble.surprise.kind] ? found : null
    const copy = trouble.saved?.copy ?? null
    if (found === null && trouble.surprise.kind !== 'changed') this.#recover(copy, now)
    else if (copy !== null && isGone(copy.path)) {
      this.#notice('error', `${copy.path} was removed or moved away. Tocsin saves what was acknowledged again.`)
      this.#begin(worse ?? trouble.surprise)
    } else if (worse !== null && copy === null) this.#begin(worse)
  }

  /** Returns what is wrong with the files now. Null: nothing. */
  #surpriseNow(trouble: Trouble): Surprise | null {
    try {
      this.#charge.watch.look()
      return null
    } catch (error) {
      return error instanceof Surprise ? error : trouble.surprise
    }
  }

  #recover(copy: Rescued | null, now: Millis): void {
    this.#trouble = null
    if (copy) dropRescue(copy, this.#charge.files)
    this.#guard(() => this.#writeMark(now))
    this.#notice('warn', 'The files of the store are back as they were. Alerts are acknowledged again.')
    this.#tellTrouble(false)
  }

  /** @param database null if a checkpoint or a close is about to change the file */
  #writeMark(at: Millis, database: 'as it is' | null = 'as it is'): void {
    const { watch, counter } = this.#charge
    const { bytes, written } = watch.database
    this.#mark.write({
      ...counter.standing,
      at,
      database: database && { identity: watch.databaseIdentity, bytes, written },
      trouble: this.#trouble?.surprise.message ?? null,
    })
  }

  /** @throws Surprise */
  #checkpoint(now: Millis): void {
    const { database, watch } = this.#charge
    watch.verifyLog()
    this.#writeMark(now, null)
    this.#mark.settle()
    // Nobody can tell what somebody else writes to the database during the checkpoint from what the checkpoint writes. So look right before it.
    watch.committed()
    try {
      database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()
    } catch (error) {
      this.#charge.tell({ kind: 'fault', message: `A checkpoint failed: ${messageOf(error)}. The log grows until one succeeds.` })
    }
    watch.checkpointed()
    fitPageCache(database, watch.database.bytes)
    this.#nextCheckpoint = watch.waitingFrames === 0 ? 0 : watch.waitingFrames + checkpointAgain
    // The next commit may overwrite the log from its start. After that, a change to the log during the
    // checkpoint could no longer be detected.
    watch.mustHaveHeader()
    this.#writeMark(now)
  }

  /** Saves what was acknowledged to where the next process finds it. Tries again until that succeeds. */
  #save(trouble: Trouble, now: Millis, atOnce = false): void {
    const { surprise, saved } = trouble
    if (saved?.done || (saved && !atOnce && Math.abs(now - saved.at) < saveAgain)) return
    this.#tellTrouble(true)
    let copy: Rescued | null = null
    let done = true
    try {
      if (surprise.kind === 'moved' || surprise.kind === 'changed') copy = this.#copyOut(now)
      if (surprise.kind === 'log') copy = this.#bringIn(now)
      done = copy?.complete ?? true
      this.#notice(done ? 'warn' : 'error', savedText(surprise, copy, this.#charge.files))
    } catch (error) {
      done = false
      const next = `Tocsin tries again every ${saveAgain / 1000} s. Do not stop this process: it has data that the files lack.`
      this.#notice('error', `What was acknowledged could not be saved: ${messageOf(error)}. ${next}`)
    }
    // An incomplete copy counts as done, because another try would not save more.
    this.#trouble = { surprise, saved: { done: done || copy !== null, at: now, copy } }
    try {
      if (surprise.kind !== 'unreachable') this.#writeMark(now)
    } catch {
      // The mark may be gone together with the files. Then the next start relies on the files alone.
    }
    this.#tellTrouble(false)
  }

  #copyOut(now: Millis): Rescued {
    const { database, files, watch, counter, companions } = this.#charge
    const { folderIsThere } = watch
    if (folderIsThere) for (const name of companions) this.#keep(name)
    watch.restoreIndex()
    return rescue({ database, files, folderIsThere, progress: counter.standing, companions: [...this.#kept.values()], now })
  }

  /**
   * Saves a removed log, which SQLite still has open: a checkpoint copies it into the database. If the log is
   * damaged, makes a copy of the store instead.
   */
  #bringIn(now: Millis): Rescued | null {
    const { database, files, watch } = this.#charge
    const { log } = filesOf(files.directory)
    try {
      watch.verifyLog()
    } catch {
      return this.#copyOut(now)
    }
    const row = database.prepare('PRAGMA wal_checkpoint(FULL)').get()
    if (row?.['busy'] !== 0 || row['log'] !== row['checkpointed']) throw new Error('a reader still uses an older state of the database')
    watch.checkpointed()
    // Otherwise the next process would read a log that is not its own into the database.
    const found = stateAt(log)
    if (found && !watch.isOwnLog(found)) {
      const aside = setAside(log, now)
      this.#notice('warn', `There was another ${basename(log)} where that process would look for it. It was renamed to ${aside}.`)
    }
    return null
  }
}

/** Returns whether a copy is no longer at its path. False if that cannot be found out now. */
function isGone(path: string): boolean {
  try {
    return stateAt(path) === null
  } catch {
    return false
  }
}

function unusable(error: unknown): TocsinError {
  return new TocsinError('store_unavailable', `The files of the store cannot be read or written: ${messageOf(error)}.`, [], { cause: error })
}

function savedText({ kind }: Surprise, copy: Rescued | null, files: StoreFiles): string {
  if (copy?.complete)
    return `Everything that was acknowledged was copied to ${copy.path}. The next start of Tocsin with this data folder uses that copy.`
  if (copy) return `What could still be read was copied to ${copy.path}, but not everything: ${copy.problem}.`
  if (kind === 'log') return `Everything that was acknowledged is now in ${files.database}. Start Tocsin again.`
  if (kind === 'index') return `Everything that was acknowledged is in ${files.database} and its log. Start Tocsin again.`
  return `${files.database} is unchanged. Alerts are acknowledged again when Tocsin can read and write it.`
}
