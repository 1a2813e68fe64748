import { accessSync, closeSync, constants, openSync } from 'node:fs'
import { basename } from 'node:path'
import { messageOf } from '../../../errors/index.ts'
import { systemCode } from '../../../files/index.ts'
import { type FileState, filesOf, isSameFile, isUntouched, lastingIdentity, type StoreFiles, stateAt, stateHeld } from '../files/index.ts'
import { frameOfLog, saltOfLog, type Verified, verifyLog } from './log-frames.ts'
import { isOlder, isOverwritten, type LogState, readLogState, restoreHeader } from './log-index.ts'
import { Surprise, type SurpriseKind } from './surprise.ts'

/**
 * A separate descriptor of a file that SQLite has open. It still refers to that file after somebody renames
 * or replaces it.
 */
interface Held {
  readonly file: number
  readonly state: FileState
}

type Which = 'database' | 'log' | 'index'

/** What it means that a file is no longer at its path. */
const kinds: Readonly<Record<Which, SurpriseKind>> = { database: 'moved', log: 'log', index: 'index' }

/**
 * Watches the files of an open database. SQLite continues to read and write a file that was removed, replaced
 * or truncated, and reports success. What it writes is lost when the process ends.
 *
 * The descriptors stay open until SQLite has closed. Under POSIX, closing a descriptor of the database or its
 * index drops SQLite's locks on that file.
 */
export class FileWatch {
  readonly #files: StoreFiles
  readonly #held: Readonly<Record<Which, Held>>
  readonly #folder: FileState
  readonly #identity: string | null
  /** The database file after the last checkpoint. */
  #database: FileState
  #log: LogState
  #logBytes: number
  #verified: Verified | null = null
  readonly #read: () => unknown

  /**
   * @param database a descriptor that was opened before SQLite opened the file; the watch closes it
   * @param read makes SQLite read something
   * @throws Surprise if somebody has already changed the files
   */
  constructor(files: StoreFiles, database: number, read: () => unknown) {
    this.#files = files
    this.#read = read
    this.#held = { database: hold(database), log: hold(openSync(files.log, 'r')), index: hold(openSync(files.index, 'r+')) }
    const folder = stateAt(files.directory)
    if (!folder) throw new Surprise('moved', 'The data folder was removed while the store was being opened.')
    this.#folder = folder
    this.#database = this.#held.database.state
    this.#identity = lastingIdentity(files.database, this.#database)
    this.#log = this.#readIndex()
    this.#logBytes = this.#held.log.state.bytes
    this.look()
  }

  /** The database file after the last checkpoint. */
  get database(): FileState {
    return this.#database
  }

  get databaseIdentity(): string | null {
    return this.#identity
  }

  /** How many committed frames no checkpoint has copied into the database yet. */
  get waitingFrames(): number {
    return this.#log.frames - this.#log.checkpointed
  }

  /** Whether the path still leads to the folder that was opened, so that files can be written into it. */
  get folderIsThere(): boolean {
    try {
      const folder = stateAt(this.#files.directory)
      return folder !== null && isSameFile(folder, this.#folder)
    } catch {
      return false
    }
  }

  /**
   * Checks that SQLite's index has the last commit. Call before a transaction. With an older index, SQLite would forget the later commits, although
   * it still has their pages in memory.
   * @throws Surprise
   */
  mustBeLatest(): void {
    if (isOlder(this.#held.index.file, this.#log))
      throw new Surprise('changed', `${basename(this.#files.index)} was replaced by an older one while Tocsin was running.`)
  }

  /** Puts the header of the last commit back into an older index. SQLite then still reads the pages that it has in memory. */
  restoreIndex(): void {
    if (isOlder(this.#held.index.file, this.#log)) restoreHeader(this.#held.index.file, this.#log)
  }

  /**
   * Checks that the last commit is in files that the next process will find. Call after a commit, before any
   * call is answered.
   * @throws Surprise
   */
  committed(): void {
    const database = this.#inPlace('database')
    this.mustBeLatest()
    const now = this.#readIndex()
    // Before the log: a missing log may be written into the database, but not into one that has changed.
    if (!isUntouched(database, this.#database)) this.#explainWrite(database, now)
    const log = this.#inPlace('log')
    this.#mustBeBeside()
    this.#mustHave(now, log)
    this.#log = now
    this.#logBytes = log.bytes
  }

  /**
   * Does the same between commits, with the checks that are too slow for each commit: SQLite's index, and
   * whether the next process could open the files.
   * @throws Surprise
   */
  look(): void {
    this.committed()
    this.mustHaveHeader()
    this.#inPlace('index')
    for (const which of ['directory', 'database', 'log'] as const) this.#mustBeUsable(which)
  }

  /**
   * Verifies the checksums of what was added to the log since the last call. Without this, a checkpoint would
   * copy damaged pages into the database.
   * @throws Surprise
   */
  verifyLog(): void {
    const { frames, salt, pageSize } = this.#readIndex()
    if (frames === 0) return
    const from = this.#verified?.salt === salt ? this.#verified : null
    this.#verified = verifyLog(this.#held.log.file, from, frames, pageSize)
    if (!this.#verified) throw new Surprise('changed', `${basename(this.#files.log)} was overwritten by something else while Tocsin was running.`)
  }

  /**
   * Checks the header of the log. Without a valid header, the next process would treat the log as empty.
   * @throws Surprise
   */
  mustHaveHeader(): void {
    if (this.#log.frames > 0 && saltOfLog(this.#held.log.file) !== this.#log.salt) throw this.#cutLog()
  }

  /** Call after a checkpoint by this process, which changes the database file. */
  checkpointed(): void {
    this.#database = stateHeld(this.#held.database.file)
    this.#log = this.#readIndex()
  }

  isOwnLog(found: FileState): boolean {
    return isSameFile(found, this.#held.log.state)
  }

  close(): void {
    for (const { file } of Object.values(this.#held)) closeSync(file)
  }

  #readIndex(): LogState {
    try {
      const { file } = this.#held.index
      // SQLite rebuilds an overwritten index from the log at its next read. It must not read a truncated
      // index: that would kill the process.
      if (isOverwritten(file)) this.#read()
      return readLogState(file)
    } catch (error) {
      if (systemCode(error) !== null) throw error
      throw new Surprise('changed', `${basename(this.#files.index)} was cut or overwritten while Tocsin was running: ${messageOf(error)}.`)
    }
  }

  #inPlace(which: Which): FileState {
    const path = this.#files[which]
    let found: FileState | null
    try {
      found = stateAt(path)
    } catch (error) {
      throw new Surprise('unreachable', `${basename(path)} cannot be reached at its path (${systemCode(error) ?? messageOf(error)}).`)
    }
    if (found && isSameFile(found, this.#held[which].state)) return found
    throw this.#goneFrom(which, found)
  }

  #goneFrom(which: Which | 'directory', found: FileState | null): Surprise {
    if (which === 'directory' || !this.folderIsThere)
      return new Surprise('moved', 'The data folder was removed, renamed or replaced while Tocsin was running.')
    const how = found ? 'replaced by another file' : stateHeld(this.#held[which].file).links > 0 ? 'renamed or moved away' : 'removed'
    return new Surprise(kinds[which], `${basename(this.#files[which])} was ${how} while Tocsin was running.`)
  }

  /**
   * Checks that the next process would look for the log where it is: beside the database, or beside its
   * target if it is a symbolic link.
   * @throws Surprise
   */
  #mustBeBeside(): void {
    const { directory, database, log } = this.#files
    if (filesOf(directory).log === log) return
    // If the target of the link is gone, report that instead, because it is worse.
    this.#inPlace('database')
    const how = 'was replaced by a symbolic link, or its link was changed, while Tocsin was running'
    throw new Surprise('log', `${basename(database)} ${how}, so the next process would look for its log elsewhere.`)
  }

  #mustBeUsable(which: Which | 'directory'): void {
    const path = this.#files[which]
    try {
      accessSync(path, constants.R_OK | constants.W_OK)
    } catch (error) {
      const code = systemCode(error)
      // Removed since the check of its place.
      if (code === 'ENOENT' || code === 'ELOOP') throw this.#goneFrom(which, null)
      throw new Surprise('unreachable', `${basename(path)} can no longer be read and written (${code ?? messageOf(error)}).`)
    }
  }

  /**
   * Accepts a write that is a checkpoint by another program, which SQLite allows and its index shows. Any
   * other write to the database is an error.
   * @throws Surprise
   */
  #explainWrite(database: FileState, now: LogState): void {
    const before = this.#log
    // A new salt means that all of the log was checkpointed. If this process did not do that, another program did.
    const byCheckpoint = now.salt === before.salt ? now.checkpointed !== before.checkpointed : before.checkpointed < before.frames
    if (!byCheckpoint || database.bytes < this.#database.bytes)
      throw new Surprise('changed', `${basename(this.#files.database)} was written to or cut by something else while Tocsin was running.`)
    this.#database = database
  }

  /**
   * Checks that the log has what SQLite believes it has: its last frame now, and its last frame at the
   * previous check.
   * @throws Surprise
   */
  #mustHave(now: LogState, { bytes }: FileState): void {
    const sameRound = now.salt === this.#log.salt
    const numbers = sameRound ? [this.#log, now] : [now]
    const whole = (!sameRound || bytes >= this.#logBytes) && numbers.every((state) => state.frames === 0 || hasFrame(this.#held.log.file, state))
    if (!whole) throw this.#cutLog()
  }

  #cutLog(): Surprise {
    return new Surprise('changed', `${basename(this.#files.log)} was cut or overwritten by something else while Tocsin was running.`)
  }
}

function hold(file: number): Held {
  return { file, state: stateHeld(file) }
}

function hasFrame(log: number, { frames, salt, checksum, pageSize }: LogState): boolean {
  const frame = frameOfLog(log, frames, pageSize)
  return frame !== null && frame.salt === salt && frame.checksum[0] === checksum[0] && frame.checksum[1] === checksum[1]
}
