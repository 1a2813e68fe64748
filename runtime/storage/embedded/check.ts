import { DatabaseSync } from 'node:sqlite'
import { messageOf } from '../../errors/index.ts'

/** Larger ones are walked through, a slice at a time: SQLite's own check cannot be interrupted, and takes a second for 100 MB. */
export const checkedWhole = 256 * 1024 * 1024
/** So many faults are named. */
const named = 5

/**
 * SQLite's own check of everything: the form of each page, the order of rows, and that indexes have what their tables have.
 * @returns what is wrong, in SQLite's words; nothing when all is well
 */
export function checkWhole(database: DatabaseSync): readonly string[] {
  try {
    const found = database
      .prepare(`PRAGMA integrity_check(${named})`)
      .all()
      .map((row) => String(row['integrity_check']).replaceAll(/\s+/g, ' '))
    return found.length === 1 && found[0] === 'ok' ? [] : found
  } catch (error) {
    return [messageOf(error)]
  }
}

/** Between two looks at the messages. Milliseconds. */
const slice = 20

/**
 * Looks at every page of a large database, whether it has the form of one. Yields after each slice how many pages it has looked at, and of how
 * many; returns what is wrong.
 *
 * Over a connection of its own: it holds one state of the database for as long as it goes on.
 */
export function* walkPages(file: string): Generator<{ readonly done: number; readonly of: number }, readonly string[]> {
  const problems: string[] = []
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  try {
    const of = Number(database.prepare('PRAGMA page_count').get()?.['page_count'])
    let done = 0
    let since = performance.now()
    for (const { name, pageno, pagetype } of database.prepare('SELECT name, pageno, pagetype FROM dbstat').iterate()) {
      done += 1
      if (pagetype === 'corrupted' && problems.length < named) problems.push(`page ${pageno} of ${name} is no page of a database`)
      if (performance.now() - since < slice) continue
      yield { done, of }
      since = performance.now()
    }
  } catch (error) {
    problems.push(messageOf(error))
  } finally {
    closeQuietly(database)
  }
  return problems
}

/** A database that is cut cannot be closed well either. */
function closeQuietly(database: DatabaseSync): void {
  try {
    database.close()
  } catch {
    // What it says was said by the reading.
  }
}
