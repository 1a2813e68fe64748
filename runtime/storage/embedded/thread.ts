import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { isTocsinError, messageOf } from '../../errors/index.ts'
import { LogFile } from './log-file.ts'
import type { Batch, Call, FromThread, Reply, ThreadOptions } from './messages.ts'
import { migrate } from './schema.ts'
import { Sql } from './sql.ts'
import { openTables, type Tables } from './tables.ts'

/** SQLite result codes that mean a defect of ours (constraint, misuse) rather than a disk that does not answer. */
const defects = new Set([1, 19, 20, 21, 25])

function replyOf(error: unknown): Reply {
  if (isTocsinError(error)) return { failure: { code: error.code, message: error.message, places: error.places } }
  const code = (error as { errcode?: number }).errcode
  const lost = code !== undefined && !defects.has(code & 0xff)
  return { failure: { code: lost ? 'store_unavailable' : 'internal', message: messageOf(error), places: [] } }
}

function open({ file, role }: ThreadOptions): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: role === 'reader', timeout: 5_000 })
  if (role === 'reader') return database
  // FULL: every commit is on the disk before it is answered. The journal is folded into the file at 16 MB rather than at 4.
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF; PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -65536',
  )
  migrate(database)
  // One owner: whoever had sessions or leases in this file before is gone.
  database.exec(`
    UPDATE sessions SET state = 'dead' WHERE state = 'alive';
    UPDATE access_tokens SET holder = NULL, leased_until = NULL;
    UPDATE deliveries SET holder = NULL, due_at = since WHERE holder IS NOT NULL
  `)
  return database
}

interface Opened {
  readonly database: DatabaseSync
  /** Null of the reader. */
  readonly log: LogFile | null
  readonly sql: Sql
  readonly tables: Tables
  readonly begin: StatementSync
  readonly commit: StatementSync
  readonly savepoint: StatementSync
  readonly release: StatementSync
  readonly undo: StatementSync
}

function prepare(database: DatabaseSync, { file, role }: ThreadOptions): Opened {
  const sql = new Sql(database)
  return {
    database,
    log: role === 'writer' ? new LogFile(database, file) : null,
    sql,
    tables: openTables(sql),
    begin: database.prepare(role === 'writer' ? 'BEGIN IMMEDIATE' : 'BEGIN'),
    commit: database.prepare('COMMIT'),
    savepoint: database.prepare('SAVEPOINT call'),
    release: database.prepare('RELEASE call'),
    undo: database.prepare('ROLLBACK TO call'),
  }
}

/** Runs one call so that, when it fails, it alone is undone. */
function perform({ database, tables, savepoint, release, undo }: Opened, { aggregate, method, parameters }: Call): Reply {
  const table = tables[aggregate as keyof Tables] as unknown as Record<string, (...parameters: readonly unknown[]) => unknown>
  savepoint.run()
  try {
    const value = table[method]?.(...parameters)
    release.run()
    return { value }
  } catch (error) {
    // A full disk ends the whole transaction by itself; then the commit fails for every call of the batch.
    if (database.isTransaction) {
      undo.run()
      release.run()
    }
    return replyOf(error)
  }
}

function performAll(opened: Opened, { now, calls }: Batch): Reply[] {
  const { database, log, sql, begin, commit } = opened
  sql.now = now
  try {
    begin.run()
    const replies = calls.map((call) => perform(opened, call))
    commit.run()
    log?.mustBeThere()
    return replies
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    return calls.map(() => replyOf(error))
  }
}

const port = parentPort
if (!port) throw new Error("This file is the store's thread; it is not run by itself.")
const send = (message: FromThread): void => port.postMessage(message)
const options = workerData as ThreadOptions
try {
  const opened = prepare(open(options), options)
  port.on('message', (batch: Batch | 'close') => {
    if (batch !== 'close') return send({ replies: performAll(opened, batch) })
    opened.database.close()
    port.close()
  })
  send({ opened: { value: true } })
} catch (error) {
  send({ opened: replyOf(error) })
  port.close()
}
