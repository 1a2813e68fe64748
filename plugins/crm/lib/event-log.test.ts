import { expect, test } from 'vitest'
import { logFile, logFileQuery, picked, spanOf, timeOf, unknownColumns, wanted } from './event-log.ts'

const day = 86_400_000
const from = Date.UTC(2026, 8, 2, 12)
const none = { after: null, before: null }

test('files whose logs overlap the period', () => {
  expect(logFileQuery({ types: [], interval: 'Daily', period: none, limit: 4 })).toMatch(
    / WHERE Interval = 'Daily' ORDER BY LogDate DESC, CreatedDate DESC, Id DESC LIMIT 4$/,
  )
  expect(logFileQuery({ types: ['Login', "x'"], interval: 'Daily', period: { after: from, before: from + day }, limit: 4 })).toContain(
    // The period begins at noon. The file that includes this noon has a LogDate up to a day earlier.
    "AND EventType IN ('Login','x\\'') AND LogDate > 2026-09-01T12:00:00.000Z AND LogDate < 2026-09-03T12:00:00.000Z ORDER",
  )
  expect(logFileQuery({ types: ['Login'], interval: 'Hourly', period: { after: from, before: null }, limit: 4 })).toContain(
    "Interval = 'Hourly' AND EventType = 'Login' AND LogDate > 2026-09-02T11:00:00.000Z ORDER",
  )
})

test('converts a file to the form of the output', () => {
  const record = {
    Id: '0AT1',
    EventType: 'Login',
    Interval: 'Daily',
    LogDate: '2026-09-01T00:00:00.000+0000',
    CreatedDate: null,
    Sequence: 0,
    LogFileLength: 12,
  }
  expect(logFile(record)).toEqual({
    id: '0AT1',
    event_type: 'Login',
    interval: 'Daily',
    log_date: '2026-09-01T00:00:00.000Z',
    created_at: null,
    sequence: 0,
    length: 12,
  })
})

test('the time of a row', () => {
  expect(timeOf({ TIMESTAMP_DERIVED: '2026-09-02T12:00:00.000Z', TIMESTAMP: 'x' })).toBe(from)
  expect(timeOf({ TIMESTAMP: '20260902120000.500' })).toBe(from + 500)
  expect(timeOf({ TIMESTAMP: '20260902120000' })).toBe(from)
  expect(timeOf({ TIMESTAMP: 'yesterday' })).toBeNull()
  expect(timeOf({})).toBeNull()
})

test('rows are kept by time and by columns', () => {
  const row = { TIMESTAMP_DERIVED: '2026-09-02T12:00:00.000Z', USER_NAME: 'Ada@acme.example', STATUS: 'ok' }
  expect(wanted(none, {})(row, null)).toBe(true)
  expect(wanted({ after: from, before: from + 1 }, {})(row, null)).toBe(true)
  expect(wanted({ after: from + 1, before: null }, {})(row, null)).toBe(false)
  expect(wanted({ after: null, before: from }, {})(row, null)).toBe(false)
  expect(wanted({ after: from + 1, before: null }, {})({ ...row, TIMESTAMP_DERIVED: '' }, null)).toBe(true)
  expect(wanted(none, { user_name: 'ada@ACME.example', STATUS: ['failed', 'ok'] })(row, null)).toBe(true)
  expect(wanted(none, { USER_NAME: 'ada@acme.example', STATUS: 'failed' })(row, null)).toBe(false)
  expect(unknownColumns({ user_name: 'a', NOPE: 'b' }, row)).toEqual(['NOPE'])
})

test('of a row only some columns', () => {
  expect(picked({ A: '1', B: '2' }, [])).toEqual({ A: '1', B: '2' })
  expect(picked({ A: '1', B: '2' }, ['b', 'C'])).toEqual({ B: '2' })
})

test("a row with a time outside its file's day counts as in the file's day", () => {
  const file = { log_date: '2026-09-20T00:00:00.000Z' }
  const day = Date.parse(file.log_date)
  const fits = wanted({ after: day, before: day + 3_600_000 }, {})
  expect(spanOf(file, 'Daily')).toEqual({ from: day - 86_400_000, to: day + 2 * 86_400_000 })
  expect(spanOf({ log_date: null }, 'Daily')).toBeNull()
  expect(fits({ TIMESTAMP_DERIVED: '2026-09-20T12:00:00.000Z' }, spanOf(file, 'Daily'))).toBe(false)
  expect(fits({ TIMESTAMP_DERIVED: '2019-01-01T12:00:00.000Z' }, spanOf(file, 'Daily'))).toBe(true)
})
