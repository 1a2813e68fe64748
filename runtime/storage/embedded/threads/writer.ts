import { openSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { v7 } from 'uuid'
import { asId, type Millis, type PauseId } from '../../../domain/index.ts'
import { messageOf, TocsinError } from '../../../errors/index.ts'
import { fileFault, keepPrivate } from '../../../files/index.ts'
import { Sealing } from '../alerts/index.ts'
import type { Tables } from '../assemble.ts'
import { CaseSealing, CaseSegments } from '../cases/index.ts'
import { fitPageCache, migrate, Sql } from '../database/index.ts'
import type { StoreFiles } from '../files/index.ts'
import { faultOf, filesOf, holdersOf, type Inspected, inspect, isBusy, ProgressCounter, raiseNumbers } from '../files/index.ts'
import type { Progress } from '../files/mark.ts'
import { pauseEverything, somethingIsUnderWay } from '../recovery/pause-everything.ts'
import { Caretaker, FileWatch } from '../watch/index.ts'
import type { Batch, FromThread, Reply, ThreadOptions } from './messages.ts'
import { failureOf, Transactions } from './perform.ts'
import { shorten } from './short-replies.ts'

/** More numbers than an installation gives between a backup and its restoration. */
export const numbersAfterCopy = 1_000_000

/**
 * How many calls a batch may have for its early calls to be answered before the commit. In a larger batch a run would gain little, and the message
 * costs processor time.
 */
const mostBesideEarly = 8

/** What a method of an index stores. */
type Built<Method> = Method extends (built: infer B) => void ? B : never

interface Begun {
  readonly transactions: Transactions
  readonly counter: ProgressCounter
  readonly watch: FileWatch
  readonly caretaker: Caretaker
  readonly sealing: Sealing
  readonly caseSealing: CaseSealing
}

/** The only part that commits. It owns the database and the files beside it. */
export class Writer {
  readonly #options: ThreadOptions & { role: 'writer' }
  readonly #tell: (message: FromThread) => void
  readonly #files: StoreFiles
  readonly #found: Inspected
  readonly #held: number
  readonly #database: DatabaseSync
  #begun: Begun | null = null
  #now: Millis = 0

  /**
   * Inspects the folder and opens the database. Does not change the data yet.
   * @throws TocsinError `store_locked`, `store_incomplete`, `store_damaged`, `folder_unusable`, `disk_full`
   */
  constructor(options: ThreadOptions & { role: 'writer' }, tell: (message: FromThread) => void) {
    this.#options = options
    this.#tell = tell
    const { files, now } = options
    this.#found = inspect(files, now, (notice) => tell({ kind: 'notice', notice }))
    this.#held = openHeld(files)
    // The log may have another path now: a copy has taken the place of a symbolic link, or the target of a
    // link has just been created.
    this.#files = filesOf(files.directory)
    this.#database = openOwned(this.#files)
  }

  /**
   * Migrates the schema and takes over from the previous process.
   * @throws TocsinError `store_newer`, `store_unknown`, and the constructor's errors
   */
  begin(now: Millis): void {
    const { companions } = this.#options
    const files = this.#files
    const database = this.#database
    try {
      migrate(database)
      // There is only one owner, so every process that had a session or a lease in this file is gone. This is
      // the first commit. If the disk accepts no writes, it fails here.
      database.exec(`
        BEGIN IMMEDIATE;
        UPDATE sessions SET state = 'dead' WHERE state = 'alive';
        UPDATE access_tokens SET holder = NULL, leased_until = NULL;
        UPDATE deliveries SET holder = NULL, due_at = since WHERE holder IS NOT NULL;
        UPDATE fetches SET holder = NULL, due_at = 0 WHERE holder IS NOT NULL;
        UPDATE counters SET value = value + 1 WHERE key = '#commits';
        COMMIT
      `)
      if (!this.#found.numbersAreKnown) this.#skipNumbers()
      const sql = new Sql(database)
      if (this.#found.copied) this.#pauseCopy(sql, now)
      const counter = new ProgressCounter(database, sql)
      const watch = new FileWatch(files, this.#held, () => database.prepare('SELECT count(*) FROM sqlite_schema').get())
      const caretaker = new Caretaker({ database, files, watch, counter, companions, tell: this.#tell }, now)
      const sealing = new Sealing(sql, {
        add: (segment) => this.#keep('segments', 'add', segment),
        addStates: (states) => this.#keep('segments', 'addStates', states),
      })
      const caseSealing = new CaseSealing(sql, new CaseSegments(sql), {
        note: (upTo) => this.#keep('caseIndex', 'note', upTo),
        add: (sealed) => this.#keep('caseIndex', 'add', sealed),
      })
      this.#begun = { transactions: new Transactions(database, sql, 'BEGIN IMMEDIATE'), counter, watch, caretaker, sealing, caseSealing }
    } catch (error) {
      throw faultOf(files.database, error)
    }
  }

  perform(batch: Batch): readonly Reply[] {
    const { transactions, counter, caretaker } = this.#ready()
    try {
      caretaker.mustBeWell(batch.now)
    } catch (error) {
      return batch.calls.map(() => ({ failure: failureOf(error) }))
    }
    let next: Progress | null = null
    return transactions.perform(batch, {
      executed: (replies) => this.#tellEarly(batch, replies),
      beforeCommit: () => {
        const counted = counter.count()
        if (counted === 'behind') throw caretaker.missCommits()
        next = counted
      },
      afterCommit: () => {
        if (next) counter.committed(next)
        caretaker.acknowledge(batch.now)
      },
    })
  }

  #tellEarly({ calls }: Batch, replies: readonly Reply[]): void {
    if (calls.length > mostBesideEarly) return
    const values = calls.flatMap((call, index) => {
      const reply = replies[index]
      return call.early && reply && 'value' in reply ? [[index, shorten(reply.value, call)] as const] : []
    })
    if (values.length > 0) this.#tell({ kind: 'executed', values })
  }

  /** Skips the numbers that the original may have given after it was copied. */
  #skipNumbers(): void {
    raiseNumbers(this.#database, numbersAfterCopy)
    const message = `This folder is a copy, or its tocsin.mark was lost. It lacks what was acknowledged after the copy was made. Numbers of new alerts and cases start ${numbersAfterCopy} higher, so that none is given twice.`
    this.#tell({ kind: 'notice', notice: { level: 'warn', message } })
  }

  /**
   * Pauses a copy that has work under way or fetches alerts. The original may have done that work since, and may
   * investigate the same alerts, so a person has to look before anything is repeated.
   */
  #pauseCopy(sql: Sql, at: Millis): void {
    if (!somethingIsUnderWay(sql)) return
    const reason =
      'This data folder is a copy. Work that was under way when it was copied may have been done since, and the original may fetch the same alerts. Look at the alerts and runs that wait, then resume.'
    pauseEverything(sql, { id: asId<PauseId>(v7()), by: 'tocsin', reason, at })
  }

  look(now: Millis): void {
    this.#begun?.caretaker.look(now)
  }

  /** Continues to index the words of alerts and cases, for a few milliseconds. Returns whether there is more to do. */
  seal(now: Millis): boolean {
    this.#now = now
    if (!this.#begun?.caretaker.isWell) return false
    try {
      return this.#begun.sealing.step() || this.#begun.caseSealing.step()
    } catch (error) {
      this.#tell({ kind: 'fault', message: messageOf(error) })
      return false
    }
  }

  #keep<A extends 'segments' | 'caseIndex', M extends keyof Tables[A] & string>(aggregate: A, method: M, built: Built<Tables[A][M]>): boolean {
    const [reply] = this.perform({ kind: 'batch', now: this.#now, calls: [{ aggregate, method, parameters: [built] }] })
    if (!reply || 'value' in reply) return true
    this.#tell({ kind: 'fault', message: reply.failure.message })
    return false
  }

  finish(now: Millis): void {
    this.#begun?.caretaker.finish(now)
  }

  close(now: Millis): void {
    this.#begun?.caretaker.beforeClose(now)
    this.#database.close()
    this.#begun?.watch.close()
  }

  #ready(): Begun {
    if (!this.#begun) throw new TocsinError('internal', 'The store was called before `begin`.')
    return this.#begun
  }
}

/**
 * Opens a separate descriptor before SQLite opens the file. This creates the file for its owner only, and
 * SQLite gives its other files the same mode.
 */
function openHeld({ database }: StoreFiles): number {
  try {
    const held = openSync(database, 'a+', 0o600)
    keepPrivate(database)
    return held
  } catch (error) {
    throw fileFault(database, 'be opened', error)
  }
}

/**
 * Opens the database, and makes sure that no other process has it open. The lock is on the file itself, so it
 * works even if somebody has removed `owner.lock`.
 */
export function openOwned({ database: path }: StoreFiles): DatabaseSync {
  let database: DatabaseSync | null = null
  try {
    database = new DatabaseSync(path, { timeout: 2_000 })
    // This read opens the log in normal mode. If the first access were in exclusive mode, SQLite could not
    // leave that mode again.
    database.exec('PRAGMA journal_mode = WAL; SELECT count(*) FROM sqlite_schema')
    // Every process that has the file open holds a shared lock. So the exclusive lock fails while another
    // process has it open. Afterwards return to the shared lock, for the reader.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT; PRAGMA locking_mode = NORMAL; BEGIN IMMEDIATE; COMMIT')
    // FULL: every commit is on the disk before it is answered. There are no automatic checkpoints, because
    // the caretaker makes them.
    database.exec('PRAGMA busy_timeout = 5000; PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF; PRAGMA wal_autocheckpoint = 0')
    fitPageCache(database, statSync(path).size)
    return database
  } catch (error) {
    database?.close()
    if (!isBusy(error)) throw faultOf(path, error)
    throw new TocsinError('store_locked', `Another process has ${path} open${holdersOf(path)}.`, [], {
      cause: error,
      remedy: 'Stop that process. It may be a Tocsin whose owner.lock was removed, or a program such as sqlite3. Or use another --data.',
    })
  }
}
