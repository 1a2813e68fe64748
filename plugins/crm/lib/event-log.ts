import type { Period } from './period.ts'
import { type CrmRecord, textIn } from './query.ts'
import { dateTime, isoTime, oneOf, select } from './soql.ts'

/** A row of an event log file: values by column name. */
export type LogRow = Readonly<Record<string, string>>
export type Interval = 'Hourly' | 'Daily'

export interface LogFile {
  readonly id: string
  /** Null if the platform does not say. */
  readonly event_type: string | null
  readonly interval: string | null
  readonly log_date: string | null
  readonly created_at: string | null
  readonly sequence: number | null
  /** In bytes. */
  readonly length: number | null
}

export interface LogFilter {
  readonly types: readonly string[]
  readonly interval: Interval
  readonly period: Period
  readonly limit: number
}

/** The time span of a log file, in milliseconds. A daily one begins at its LogDate and covers a day. */
const span: Readonly<Record<Interval, number>> = { Daily: 86_400_000, Hourly: 3_600_000 }

export const logFileFields = ['Id', 'EventType', 'LogDate', 'CreatedDate', 'Interval', 'Sequence', 'LogFileLength']

/** Columns that not every API version has: before 37.0 all files are daily ones. */
export function optionalLogFileFields(interval: Interval): readonly string[] {
  return ['Sequence', 'LogFileLength', ...(interval === 'Daily' ? ['Interval'] : [])]
}

/** Returns the statement that finds files whose logs overlap the period, newest first. */
export function logFileQuery({ types, interval, period, limit }: LogFilter, fields: readonly string[] = logFileFields): string {
  const where = [
    ...(fields.includes('Interval') ? [`Interval = '${interval}'`] : []),
    ...(types.length === 0 ? [] : [`EventType ${oneOf(types)}`]),
    ...(period.after === null ? [] : [`LogDate > ${dateTime(period.after - span[interval])}`]),
    ...(period.before === null ? [] : [`LogDate < ${dateTime(period.before)}`]),
  ]
  return select({ fields, from: 'EventLogFile', where, orderBy: 'LogDate DESC, CreatedDate DESC, Id DESC', limit })
}

export function logFile(record: CrmRecord): LogFile {
  const number = (value: unknown): number | null => (typeof value === 'number' ? value : null)
  return {
    id: textIn(record, 'Id'),
    event_type: typeof record['EventType'] === 'string' ? record['EventType'] : null,
    interval: typeof record['Interval'] === 'string' ? record['Interval'] : null,
    log_date: isoTime(record['LogDate']),
    created_at: isoTime(record['CreatedDate']),
    sequence: number(record['Sequence']),
    length: number(record['LogFileLength']),
  }
}

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/
const compact = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d{3}))?$/

/**
 * Returns the time of a row in epoch milliseconds. TIMESTAMP_DERIVED is ISO 8601, TIMESTAMP is
 * `yyyyMMddHHmmss.SSS` in UTC. Null if neither can be read.
 */
export function timeOf(row: LogRow): number | null {
  const derived = row['TIMESTAMP_DERIVED'] ?? ''
  const [whole, year, month, day, hour, minute, second, fraction = '000'] = compact.exec(row['TIMESTAMP'] ?? '') ?? []
  if (!iso.test(derived) && whole === undefined) return null
  const time = Date.parse(iso.test(derived) ? derived : `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}Z`)
  return Number.isNaN(time) ? null : time
}

/**
 * The time range, in epoch milliseconds, that the rows of a file can have. Null if the file has no
 * date.
 */
export type Span = { readonly from: number; readonly to: number } | null

/** A margin of one day on both sides, in case a file uses another time zone than UTC. */
const leeway = 86_400_000

export function spanOf({ log_date }: Pick<LogFile, 'log_date'>, interval: Interval): Span {
  const begins = Date.parse(log_date ?? '')
  return Number.isNaN(begins) ? null : { from: begins - leeway, to: begins + span[interval] + leeway }
}

/**
 * Returns whether a row is in the period. A row counts as in it if its time cannot be read or is
 * not in its file's range, because the file is in the period.
 */
export type Wanted = (row: LogRow, of: Span) => boolean

/**
 * @param where columns and their accepted values. Texts are compared ignoring case. All columns
 * must match
 */
export function wanted(period: Period, where: Readonly<Record<string, string | readonly string[]>>): Wanted {
  const columns = Object.entries(where).map(([column, values]) => ({
    column: column.toUpperCase(),
    values: new Set((typeof values === 'string' ? [values] : values).map((value) => value.toLowerCase())),
  }))
  const bounded = period.after !== null || period.before !== null
  return (row, of) => {
    if (!columns.every(({ column, values }) => values.has((row[column] ?? '').toLowerCase()))) return false
    const time = bounded ? timeOf(row) : null
    return within(period, time !== null && of !== null && (time < of.from || time >= of.to) ? null : time)
  }
}

function within({ after, before }: Period, time: number | null): boolean {
  return time === null || ((after === null || time >= after) && (before === null || time < before))
}

/** Returns the columns of `where` that a file does not have. */
export function unknownColumns(where: Readonly<Record<string, unknown>>, row: LogRow): readonly string[] {
  return Object.keys(where).filter((column) => !Object.hasOwn(row, column.toUpperCase()))
}

/** Keeps only these columns of a row, or all if none are named. */
export function picked(row: LogRow, columns: readonly string[]): LogRow {
  if (columns.length === 0) return row
  return Object.fromEntries(
    columns.map((column) => column.toUpperCase()).flatMap((column) => (Object.hasOwn(row, column) ? [[column, row[column] ?? '']] : [])),
  )
}
