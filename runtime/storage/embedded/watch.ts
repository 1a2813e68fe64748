import { accessSync, closeSync, constants, openSync } from 'node:fs'
import { basename } from 'node:path'
import { messageOf } from '../../errors/index.ts'
import { systemCode } from '../../files/index.ts'
import { type FileState, isSameFile, isUntouched, lastingIdentity, stateAt, stateHeld } from './file-state.ts'
import { frameOfLog, saltOfLog, type Verified, verifyLog } from './log-frames.ts'
import { type LogState, readLogState } from './log-index.ts'
import { filesOf, type StoreFiles } from './names.ts'
import { Surprise, type SurpriseKind } from './surprise.ts'

/** A descriptor of its own: it tells what SQLite's sees, whatever the name leads to now. */
interface Held {
  readonly file: number
  readonly state: FileState
}

type Which = 'database' | 'log' | 'index'

/**
 * Watches the files of an open database. SQLite goes on reading and writing a file that was removed, replaced or cut, and reports
 * success; what it wrote is gone with the process.
 *
 * Descriptors stay open until SQLite has closed: closing one of the database or its index drops SQLite's locks on it (POSIX).
 */
export class FileWatch {
  readonly #files: StoreFiles
  readonly #held: Readonly<Record<Which, Held>>
  readonly #folder: FileState
  readonly #identity: string | null
  /** As this process left it at its last checkpoint. */
  #database: FileState
  #log: LogState
  #logBytes: number
  #verified: Verified | null = null

  /**
   * @param database descriptor that was opened before SQLite opened the file; the watch closes it
   * @throws Surprise when the files are others already
   */
  constructor(files: StoreFiles, database: number) {
    this.#files = files
    this.#held = { database: hold(database), log: hold(openSync(files.log, 'r')), index: hold(openSync(files.index, 'r')) }
    const folder = stateAt(files.directory)
    if (!folder) throw new Surprise('moved', 'The data folder was removed while the store was being opened.')
    this.#folder = folder
    this.#database = this.#held.database.state
    this.#identity = lastingIdentity(files.database, this.#database)
    this.#log = this.#readIndex()
    this.#logBytes = this.#held.log.state.bytes
    this.look()
  }

  /** The database as its last checkpoint left it. */
  get database(): FileState {
    return this.#database
  }

  get databaseIdentity(): string | null {
    return this.#identity
  }

  /** Committed frames that no checkpoint has brought into the database. */
  get waitingFrames(): number {
    return this.#log.frames - this.#log.checkpointed
  }

  /** Whether the folder is still the one that was opened, so that files can be put into it. */
  get folderIsThere(): boolean {
    try {
      const folder = stateAt(this.#files.directory)
      return folder !== null && isSameFile(folder, this.#folder)
    } catch {
      return false
    }
  }

  /**
   * After a commit, before anybody is told of it: it went into files that the next process finds.
   * @throws Surprise
   */
  committed(): void {
    const database = this.#inPlace('database', 'moved')
    const log = this.#inPlace('log', 'log')
    const now = this.#readIndex()
    if (!isUntouched(database, this.#database)) this.#explainWrite(database, now)
    this.#mustHave(now, log)
    this.#log = now
    this.#logBytes = log.bytes
  }

  /**
   * The same between commits, and what is too slow for each: SQLite's index, and whether the next process could open the files.
   * @throws Surprise
   */
  look(): void {
    this.committed()
    this.mustHaveHeader()
    this.#inPlace('index', 'index')
    // Behind a symbolic link the log has another place.
    if (filesOf(this.#files.directory).log !== this.#files.log)
      throw new Surprise(
        'log',
        `${basename(this.#files.database)} was replaced by a symbolic link while Tocsin runs: its log is looked for elsewhere.`,
      )
    for (const path of [this.#files.directory, this.#files.database, this.#files.log]) this.#mustBeUsable(path)
  }

  /**
   * Computes the checksums of what has come into the log since the last time: what it holds wrongly would be spread into the database.
   * @throws Surprise
   */
  verifyLog(): void {
    const { frames, salt, pageSize } = this.#readIndex()
    if (frames === 0) return
    const from = this.#verified?.salt === salt ? this.#verified : null
    this.#verified = verifyLog(this.#held.log.file, from, frames, pageSize)
    if (!this.#verified) throw new Surprise('changed', `${basename(this.#files.log)} was overwritten by something else while Tocsin runs.`)
  }

  /**
   * The log begins as SQLite wrote it: without that, the next process would take it for empty.
   * @throws Surprise
   */
  mustHaveHeader(): void {
    if (this.#log.frames > 0 && saltOfLog(this.#held.log.file) !== this.#log.salt) throw this.#cutLog()
  }

  /** After a checkpoint of this process: the database is another now. */
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
      return readLogState(this.#held.index.file)
    } catch (error) {
      if (systemCode(error) !== null) throw error
      throw new Surprise('changed', `${basename(this.#files.index)} was cut or overwritten while Tocsin runs: ${messageOf(error)}.`)
    }
  }

  #inPlace(which: Which, kind: SurpriseKind): FileState {
    const path = this.#files[which]
    let found: FileState | null
    try {
      found = stateAt(path)
    } catch (error) {
      throw new Surprise('unreachable', `${basename(path)} cannot be reached at its path (${systemCode(error) ?? messageOf(error)}).`)
    }
    const { file, state } = this.#held[which]
    if (found && isSameFile(found, state)) return found
    if (!this.folderIsThere) throw new Surprise('moved', 'The data folder was removed, renamed or replaced while Tocsin runs.')
    const how = found ? 'replaced by another file' : stateHeld(file).links > 0 ? 'renamed or moved away' : 'removed'
    throw new Surprise(kind, `${basename(path)} was ${how} while Tocsin runs.`)
  }

  #mustBeUsable(path: string): void {
    try {
      accessSync(path, constants.R_OK | constants.W_OK)
    } catch (error) {
      throw new Surprise('unreachable', `${basename(path)} may not be read and written any more (${systemCode(error) ?? messageOf(error)}).`)
    }
  }

  /** Another program may have made a checkpoint, as SQLite allows: then its index says so. Nothing else may write to the database. */
  #explainWrite(database: FileState, now: LogState): void {
    const before = this.#log
    // The log begins a new round when all of it is in the database: if not by this process, then by another.
    const byCheckpoint = now.salt === before.salt ? now.checkpointed !== before.checkpointed : before.checkpointed < before.frames
    if (!byCheckpoint || database.bytes < this.#database.bytes)
      throw new Surprise('changed', `${basename(this.#files.database)} was written to or cut by something else while Tocsin runs.`)
    this.#database = database
  }

  /** The log holds what SQLite believes to be in it: the last frame, and the one that was last the time before. */
  #mustHave(now: LogState, { bytes }: FileState): void {
    const sameRound = now.salt === this.#log.salt
    const numbers = sameRound ? [this.#log, now] : [now]
    const whole = (!sameRound || bytes >= this.#logBytes) && numbers.every((state) => state.frames === 0 || hasFrame(this.#held.log.file, state))
    if (!whole) throw this.#cutLog()
  }

  #cutLog(): Surprise {
    return new Surprise('changed', `${basename(this.#files.log)} was cut or overwritten by something else while Tocsin runs.`)
  }
}

function hold(file: number): Held {
  return { file, state: stateHeld(file) }
}

function hasFrame(log: number, { frames, salt, checksum, pageSize }: LogState): boolean {
  const frame = frameOfLog(log, frames, pageSize)
  return frame !== null && frame.salt === salt && frame.checksum[0] === checksum[0] && frame.checksum[1] === checksum[1]
}
