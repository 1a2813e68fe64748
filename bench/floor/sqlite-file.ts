import { closeSync, fdatasync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import type { FloorAlert } from './alert.ts'
import type { Entry } from './record.ts'

/** What one commit writes about one alert. */
export interface Change {
  readonly number: number
  /** The alert, if it is new. */
  added: FloorAlert | null
  claimed: boolean
  /** New entries of the journal. They share a row. */
  readonly entries: Entry[]
  /** The place of that row in the journal. */
  readonly position: number
  /** The title of the case that the end opens. Null: the run goes on. */
  ended: string | null
}

/**
 * Each table has the alert's number as its key. So rows that are written together are on the same pages. What changes of an alert is in a table of its
 * own, so that a change does not write the content again.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS alerts (number INTEGER PRIMARY KEY, id TEXT NOT NULL, type TEXT NOT NULL, content TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS states (number INTEGER PRIMARY KEY, status TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS journal (number INTEGER NOT NULL, position INTEGER NOT NULL, entries TEXT NOT NULL, PRIMARY KEY (number, position))
    WITHOUT ROWID, STRICT;
  CREATE TABLE IF NOT EXISTS cases (number INTEGER PRIMARY KEY, title TEXT NOT NULL, severity TEXT NOT NULL) STRICT;
`
/** How many pages the log may have before a commit copies them into the database. As in Tocsin. */
const checkpointEvery = 4_000

/** The database of floor 3. */
export interface SqliteFile {
  /** The last number that was given. */
  readonly last: number
  /** Writes the changes in one transaction. Resolves when it is on the disk. */
  commit(changes: readonly Change[]): Promise<void>
  close(): void
}

const flushed = promisify(fdatasync)

/**
 * Opens the database, or creates it. SQL runs in the main thread: it takes less time than a message to another thread would. With `synchronous = NORMAL`,
 * SQLite writes a commit to the log and does not flush it. `flush` does that in a thread of Node, so that a slow disk does not block the event loop.
 * @param flush resolves when what was written to an open file is on the disk
 */
export function openSqliteFile(path: string, flush: (file: number) => Promise<void> = flushed): SqliteFile {
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${checkpointEvery}; ${schema}`)
  // The log is there from the first write until the database is closed.
  const log = openSync(`${path}-wal`, 'r+')
  const [begin, commit] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')]
  const addAlert = database.prepare('INSERT INTO alerts (number, id, type, content) VALUES (?, ?, ?, ?)')
  const addState = database.prepare('INSERT INTO states (number, status) VALUES (?, ?)')
  const claim = database.prepare("UPDATE states SET status = 'running' WHERE number = ? AND status = 'created'")
  const note = database.prepare('INSERT INTO journal (number, position, entries) VALUES (?, ?, ?)')
  const addCase = database.prepare("INSERT INTO cases (number, title, severity) VALUES (?, ?, 'low')")
  const end = database.prepare("UPDATE states SET status = 'done' WHERE number = ? AND status = 'running'")

  function write({ number, added, claimed, entries, position, ended }: Change): void {
    if (added) {
      addAlert.run(number, added.id, added.type, added.content)
      addState.run(number, claimed ? 'running' : 'created')
    } else if (claimed && claim.run(number).changes !== 1) throw new Error(`Alert ${number} was claimed before.`)
    if (entries.length > 0) note.run(number, position, JSON.stringify(entries))
    if (ended === null) return
    addCase.run(number, ended)
    if (end.run(number).changes !== 1) throw new Error(`Alert ${number} was not running.`)
  }

  return {
    last: Number(database.prepare('SELECT max(number) AS last FROM alerts').get()?.['last']),
    async commit(changes) {
      begin.run()
      for (const change of changes) write(change)
      commit.run()
      await flush(log)
    },
    close() {
      database.close()
      closeSync(log)
    },
  }
}
