import { openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { v7 } from 'uuid'
import { asId, type Millis, type PauseId } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import { fileFault, keepPrivate } from '../../files/index.ts'
import { Caretaker } from './caretaker.ts'
import { faultOf, isBusy } from './found-store.ts'
import { holdersOf } from './holders.ts'
import { type Inspected, inspect } from './inspect.ts'
import type { Batch, FromThread, Reply, ThreadOptions } from './messages.ts'
import type { StoreFiles } from './names.ts'
import { pauseEverything, somethingIsUnderWay } from './pause-everything.ts'
import { failureOf, Transactions } from './perform.ts'
import { ProgressCounter, raiseNumbers } from './progress.ts'
import { migrate } from './schema.ts'
import { Sql } from './sql.ts'
import { FileWatch } from './watch.ts'

/** More than anybody gives between a backup and its restoration. */
export const numbersAfterCopy = 1_000_000

interface Begun {
  readonly transactions: Transactions
  readonly counter: ProgressCounter
  readonly watch: FileWatch
  readonly caretaker: Caretaker
}

/** What commits: the one owner of the file and of what is written beside it. */
export class Writer {
  readonly #options: ThreadOptions & { role: 'writer' }
  readonly #tell: (message: FromThread) => void
  readonly #found: Inspected
  readonly #held: number
  readonly #database: DatabaseSync
  #begun: Begun | null = null

  /**
   * Looks at what is in the folder, and opens it. Changes nothing of it yet.
   * @throws TocsinError `store_locked`, `store_incomplete`, `store_damaged`, `folder_unusable`, `disk_full`
   */
  constructor(options: ThreadOptions & { role: 'writer' }, tell: (message: FromThread) => void) {
    this.#options = options
    this.#tell = tell
    const { files, now } = options
    this.#found = inspect(files, now, (notice) => tell({ kind: 'notice', notice }))
    this.#held = openHeld(files)
    this.#database = openOwned(files)
  }

  /** Brings the schema up to date, and takes over what the process before left. @throws TocsinError `store_newer` and those of the constructor */
  begin(now: Millis): void {
    const { files, companions } = this.#options
    const database = this.#database
    try {
      migrate(database)
      // One owner: whoever had sessions or leases in this file before is gone. Counting it is the first commit: a disk that takes none is told now.
      database.exec(`
        BEGIN IMMEDIATE;
        UPDATE sessions SET state = 'dead' WHERE state = 'alive';
        UPDATE access_tokens SET holder = NULL, leased_until = NULL;
        UPDATE deliveries SET holder = NULL, due_at = since WHERE holder IS NOT NULL;
        UPDATE counters SET value = value + 1 WHERE key = '#commits';
        COMMIT
      `)
      if (!this.#found.numbersAreKnown) this.#skipNumbers()
      const sql = new Sql(database)
      if (this.#found.copied) this.#pauseCopy(sql, now)
      const counter = new ProgressCounter(database, sql)
      const watch = new FileWatch(files, this.#held)
      const caretaker = new Caretaker({ database, files, watch, counter, companions, tell: this.#tell }, now)
      this.#begun = { transactions: new Transactions(database, sql, 'BEGIN IMMEDIATE'), counter, watch, caretaker }
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
    let next: ReturnType<ProgressCounter['count']> = null
    return transactions.perform(batch, {
      beforeCommit: () => {
        next = counter.count()
      },
      afterCommit: () => {
        if (next) counter.committed(next)
        caretaker.acknowledge(batch.now)
      },
    })
  }

  /** In a copy of a store, numbers go on above those that the original may have given since. */
  #skipNumbers(): void {
    raiseNumbers(this.#database, numbersAfterCopy)
    const message = `This folder is a copy, or its tocsin.mark was lost: what was acknowledged after it was made is not in it. Numbers of alerts and cases go on ${numbersAfterCopy} higher, so that none is given twice.`
    this.#tell({ kind: 'notice', notice: { level: 'warn', message } })
  }

  /** What is under way in a copy, the original may have done meanwhile: a person looks before it is done again. */
  #pauseCopy(sql: Sql, at: Millis): void {
    if (!somethingIsUnderWay(sql)) return
    const reason =
      'This data folder is a copy. What was under way in it may have been done since: look at the alerts and runs that wait, then resume.'
    pauseEverything(sql, { id: asId<PauseId>(v7()), by: 'tocsin', reason, at })
  }

  look(now: Millis): void {
    this.#begun?.caretaker.look(now)
  }

  close(now: Millis): void {
    this.#begun?.caretaker.beforeClose(now)
    this.#database.close()
    this.#begun?.watch.close()
  }

  #ready(): Begun {
    if (!this.#begun) throw new TocsinError('internal', 'The store was asked before it was told to begin.')
    return this.#begun
  }
}

/** A descriptor of its own, before SQLite has one: the file is made for its owner alone, and SQLite gives its other files the same mode. */
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
 * Opens the database as the only process that has it open. The lock is on the file itself: it holds also where somebody has removed
 * `owner.lock`.
 */
export function openOwned({ database: path }: StoreFiles): DatabaseSync {
  let database: DatabaseSync | null = null
  try {
    database = new DatabaseSync(path, { timeout: 2_000 })
    // The read opens the log in the usual way: an exclusive mode from the beginning could not be left again.
    database.exec('PRAGMA journal_mode = WAL; SELECT count(*) FROM sqlite_schema')
    // Every process that has the file open shares a lock on it, which this one cannot be had beside. Then it is shared again, for the reader.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT; PRAGMA locking_mode = NORMAL; BEGIN IMMEDIATE; COMMIT')
    // FULL: every commit is on the disk before it is answered. Checkpoints are the caretaker's.
    database.exec(
      'PRAGMA busy_timeout = 5000; PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -65536',
    )
    return database
  } catch (error) {
    database?.close()
    if (!isBusy(error)) throw faultOf(path, error)
    throw new TocsinError('store_locked', `Another process has ${path} open${holdersOf(path)}.`, [], {
      cause: error,
      remedy: 'Stop it: a Tocsin whose owner.lock was removed, or a program such as sqlite3. Or give another --data.',
    })
  }
}
