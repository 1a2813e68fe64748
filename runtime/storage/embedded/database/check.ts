import { DatabaseSync } from 'node:sqlite'
import { messageOf } from '../../../errors/index.ts'

/**
 * The largest database, in bytes, that gets SQLite's own check. The check cannot be interrupted and takes
 * about a second for 100 MB.
 */
export const checkedWhole = 256 * 1024 * 1024
/** The most faults that are reported. */
const named = 5

/**
 * Runs SQLite's own check: the form of each page, the order of rows, and whether indexes match their tables.
 * @returns the problems, in SQLite's words; empty if there are none
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

/** How long the check works before the thread may handle messages. Milliseconds. */
const slice = 20

/**
 * Checks the form of every page of a large database. After each slice, yields how many pages are done, of how
 * many. Returns the problems.
 *
 * It opens its own connection, because until it ends it keeps one state of the database open.
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
      if (pagetype === 'corrupted' && problems.length < named) problems.push(`page ${pageno} of ${name} is not a database page`)
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

/** Closing a truncated database fails too. */
function closeQuietly(database: DatabaseSync): void {
  try {
    database.close()
  } catch {
    // Reading has already reported the problem.
  }
}
