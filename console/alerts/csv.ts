import type { AlertItemView } from '../../runtime/api/index.ts'
import type { AlertColumn } from './columns.tsx'
import { readAlerts } from './queries.ts'

/** The most rows of one file. A spreadsheet opens about ten times as many. */
export const mostRows = 100_000
const rowsAtOnce = 1_000

/**
 * Where a formula could begin in a spreadsheet. Where commas are decimal, a spreadsheet divides cells at semicolons: it takes the quotation
 * marks around a cell for a part of it, and begins others within it.
 */
const formula = /(^|[;\t\r\n])("*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g

/** Writes a cell. What a spreadsheet would execute as a formula gets an apostrophe before it. */
export function cellOf(text: string): string {
  const safe = text.replaceAll(formula, "$1$2'").replace(/^[\t\r\n]/, "'$&")
  return /[",\r\n;\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function rowOf(columns: readonly AlertColumn[], alert: AlertItemView): string {
  return `${columns.map(({ text }) => cellOf(text(alert))).join(',')}\r\n`
}

/**
 * Reads all alerts of the filters, and makes a CSV file (RFC 4180) of the columns. Stops at 100,000 rows.
 * @param progress is told how many rows there are so far
 */
export async function makeCsv(
  filters: URLSearchParams,
  sort: string,
  columns: readonly AlertColumn[],
  progress: (rows: number) => void,
  signal: AbortSignal,
): Promise<{ readonly file: Blob; readonly rows: number; readonly more: boolean }> {
  // The mark at the beginning tells spreadsheets that the file is UTF-8.
  const parts = [`\ufeff${columns.map(({ header }) => cellOf(header)).join(',')}\r\n`]
  let rows = 0
  let cursor: string | null = null
  do {
    const page = await readAlerts(filters, { cursor, sort, limit: Math.min(rowsAtOnce, mostRows - rows) }, signal)
    parts.push(page.items.map((alert) => rowOf(columns, alert)).join(''))
    rows += page.items.length
    cursor = page.next_cursor
    progress(rows)
  } while (cursor !== null && rows < mostRows)
  return { file: new Blob(parts, { type: 'text/csv;charset=utf-8' }), rows, more: cursor !== null }
}
