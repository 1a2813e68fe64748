import type { Handler } from '@tocsin/plugin'
import {
  type Interval,
  type LogFile,
  type LogRow,
  logFile,
  logFileFields,
  logFileQuery,
  optionalLogFileFields,
  picked,
  spanOf,
  unknownColumns,
  wanted,
} from '../lib/event-log.ts'
import { withFewerFields } from '../lib/fewer-fields.ts'
import { NoPeriod, periodOf } from '../lib/period.ts'
import { OddAnswer, oddAnswer, runQuery } from '../lib/query.ts'
import { Unquotable } from '../lib/soql.ts'

interface Input {
  readonly event_types?: readonly string[]
  readonly from?: string
  readonly to?: string
  readonly last?: string
  readonly interval: Interval
  readonly where?: Readonly<Record<string, string | readonly string[]>>
  readonly columns?: readonly string[]
  readonly max_files: number
  readonly max_rows: number
}

interface Read extends LogFile {
  readonly rows_read: number
  readonly rows_kept: number
  readonly read_whole: boolean
}

/** Streams the files and holds only the rows that it keeps, so that memory does not grow with the size of a file. */
export default (async ({ input, http, stream, log, path, call, fail }) => {
  const { event_types: types = [], from, to, last, interval, where = {}, columns = [], max_files: maxFiles, max_rows: maxRows } = input
  try {
    const period = periodOf(
      { ...(from !== undefined && { after: from }), ...(to !== undefined && { before: to }), ...(last !== undefined && { last }) },
      call.now,
    )
    const fits = wanted(period, where)
    const filter = { types, interval, period, limit: maxFiles + 1 }
    const found = await withFewerFields(logFileFields, optionalLogFileFields(interval), (fields) =>
      runQuery({ http, log }, logFileQuery(filter, fields), maxFiles + 1),
    )

    const entries: { readonly file_id: string; readonly event_type: string | null; readonly values: LogRow }[] = []
    const files: Read[] = []
    for (const file of found.records.slice(0, maxFiles).map(logFile)) {
      if (entries.length >= maxRows) break
      const before = entries.length
      let read = 0
      let whole = true
      const dates = spanOf(file, interval)
      for await (const rows of stream.csv(path`/sobjects/EventLogFile/${file.id}/LogFile`, { headers: { accept: 'text/csv' } })) {
        const missing = read === 0 && rows[0] ? unknownColumns(where, rows[0]) : []
        if (missing.length > 0)
          fail('column_unknown', `${file.event_type ?? file.id} has no ${missing.join(', ')}; it has ${Object.keys(rows[0] ?? {}).join(', ')}.`)
        for (const row of rows) {
          if (entries.length >= maxRows) {
            whole = false
            break
          }
          read += 1
          if (fits(row, dates)) entries.push({ file_id: file.id, event_type: file.event_type, values: picked(row, columns) })
        }
        if (!whole) break
      }
      files.push({ ...file, rows_read: read, rows_kept: entries.length - before, read_whole: whole })
      log.info('file read', { file: file.id, type: file.event_type, rows: read, kept: entries.length })
    }
    const unread = found.records.length > files.length
    return { entries, files, truncated: unread || files.some(({ read_whole: whole }) => !whole) }
  } catch (error) {
    if (error instanceof NoPeriod || error instanceof Unquotable) fail('input_refused', error.message)
    if (error instanceof OddAnswer) fail(oddAnswer, error.message)
    throw error
  }
}) satisfies Handler<Input>
