import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Failure, idOf } from '../../simulators/crm/index.ts'
import { day, host, hostAs, isolatesResident, now, output, refused, simulator, tries } from './system.ts'

describe('event log files', () => {
  const login = { event_types: ['Login'] }

  test('the entries of the newest files are returned, each with its file', async () => {
    const { entries, files, truncated } = await output('get_crm_event_log_files', { ...login, max_files: 2, max_rows: 10_000 })
    expect(truncated).toBe(true)
    expect(
      files.map(({ log_date, rows_read, rows_kept, read_whole }: Record<string, unknown>) => ({ log_date, rows_read, rows_kept, read_whole })),
    ).toEqual([
      { log_date: '2026-10-14T00:00:00.000Z', rows_read: 120, rows_kept: 120, read_whole: true },
      { log_date: '2026-10-13T00:00:00.000Z', rows_read: 120, rows_kept: 120, read_whole: true },
    ])
    expect(entries).toHaveLength(240)
    expect(entries[0]).toMatchObject({
      file_id: files[0].id,
      event_type: 'Login',
      values: { EVENT_TYPE: 'Login', USER_NAME: 'ada.lovelace@acme.example' },
    })
    expect(entries[10].values.BROWSER_TYPE).toBe('Browser, "odd"\nsecond line, Zoë')
  })

  test('rows are filtered by column, columns by name, and files by several event types', async () => {
    const { entries } = await output('get_crm_event_log_files', {
      event_types: ['Login', 'API'],
      max_files: 2,
      where: { USER_ID: idOf('005', 3).slice(0, 15), event_type: ['login', 'api'] },
      columns: ['event_type', 'CLIENT_IP', 'NOPE'],
    })
    expect(entries).toHaveLength(48)
    expect(entries[0].values).toEqual({ EVENT_TYPE: expect.stringMatching(/^(Login|API)$/), CLIENT_IP: '203.0.113.2' })
  })

  test('a period selects files and rows, even if it is counted back from now', async () => {
    const period = { from: '2026-10-14T00:01:00Z', to: '2026-10-14T00:01:30Z' }
    const { entries, files, truncated } = await output('get_crm_event_log_files', { ...login, ...period })
    expect(entries.map(({ values }: { values: Record<string, string> }) => values['TIMESTAMP_DERIVED'])).toEqual(
      Array.from({ length: 30 }, (_, at) => new Date(Date.UTC(2026, 9, 14, 0, 1, at)).toISOString()),
    )
    expect(files).toHaveLength(1)
    expect(truncated).toBe(false)
    // At 12:30 the file of the day before exists, and today's does not.
    expect((await output('get_crm_event_log_files', { ...login, last: '24h' })).files).toHaveLength(1)
    const hourly = await output('get_crm_event_log_files', { ...login, interval: 'Hourly', last: '6h', max_rows: 10_000 })
    expect(new Set(hourly.files.map(({ interval }: { interval: string }) => interval))).toEqual(new Set(['Hourly']))
    expect(hourly.entries.length).toBeGreaterThan(0)
    for (const { values } of hourly.entries) expect(Date.parse(values.TIMESTAMP_DERIVED)).toBeGreaterThanOrEqual(now - day / 4)
  })

  test('rows beyond max_rows are not read', async () => {
    simulator.behave({ logSize: 5_000_000 })
    const { entries, files, truncated } = await output('get_crm_event_log_files', { ...login, max_files: 1, max_rows: 700 })
    expect(entries).toHaveLength(700)
    expect(truncated).toBe(true)
    expect(files).toEqual([expect.objectContaining({ rows_read: 700, read_whole: false, length: 5_000_000 })])
  })

  test('a file without a matching row is read to its end', async () => {
    simulator.behave({ logSize: 3_000_000 })
    const { entries, files } = await output('get_crm_event_log_files', { ...login, max_files: 1, where: { USER_NAME: 'nobody' } })
    expect(entries).toEqual([])
    expect(files).toEqual([expect.objectContaining({ read_whole: true, rows_kept: 0 })])
    expect(files[0].rows_read).toBeGreaterThan(5_000)
  })

  test.skipIf(!existsSync('/proc/self/status'))("a large file is not kept in the memory of the handler's isolate", async () => {
    const nothing = { ...login, max_files: 1, where: { USER_NAME: 'nobody' } }
    simulator.behave({ logSize: 4_000_000 })
    await output('get_crm_event_log_files', nothing)
    const before = isolatesResident()
    expect(before).toBeGreaterThan(0)
    simulator.behave({ logSize: 32_000_000 })
    expect((await output('get_crm_event_log_files', nothing)).files[0].rows_read).toBeGreaterThan(100_000)
    // The handler receives more than 60 MB of rows.
    expect(isolatesResident() - before).toBeLessThan(32_000_000)
  })

  test.each([
    [{ where: { NOPE: 'a' } }, 'column_unknown'],
    [{ last: '24h', to: '2026-10-14T00:00:00Z' }, 'input_refused'],
  ])('%j: %s', async (input, code) => {
    expect(await host.call('get_crm_event_log_files', { ...login, ...input })).toEqual(refused(code))
  })

  test.each<[Failure['failure'], string]>([
    ['cut_in_body', 'network'],
    ['request_limit', 'request_limit_exceeded'],
    ['insufficient_access', 'api_permission_error'],
    ['server_error', 'vendor_unavailable'],
    ['html', 'answer_not_understood'],
  ])('%s while a file is read is an error, not a short list', async (failure, code) => {
    simulator.fail({ failure, path: '/services/data/v67.0/sobjects/EventLogFile/', times: tries })
    expect(await host.call('get_crm_event_log_files', login)).toEqual(refused(code))
  })

  test('a token that expires before a file is read is renewed', async () => {
    simulator.fail({ failure: 'session_expired', path: '/services/data/v67.0/sobjects/EventLogFile/' })
    expect((await output('get_crm_event_log_files', { ...login, max_files: 1 })).entries).toHaveLength(120)
  })

  test('event types are counted by the platform, or by the handler if the platform cannot group', async () => {
    const expected = {
      event_types: [
        { event_type: 'API', files: 7 },
        { event_type: 'Login', files: 19 },
        { event_type: 'ReportExport', files: 7 },
      ],
      truncated: false,
    }
    expect(await output('list_crm_event_types', {})).toEqual(expected)
    expect((await output('list_crm_event_types', { interval: 'Hourly' })).event_types).toEqual([{ event_type: 'Login', files: 12 }])
    simulator.behave({ ungroupable: new Set(['EventLogFile.EventType']) })
    expect(await output('list_crm_event_types', {})).toEqual(expected)
    simulator.fail({ failure: 'insufficient_access', path: '/services/data/v67.0/query' })
    expect(await host.call('list_crm_event_types', {})).toEqual(refused('api_permission_error'))
  })
})

test('the release notes of the newest version are found without a token', async () => {
  const pinned = await hostAs({ more: { api_version: '62.0' } })
  expect(await output('get_crm_release_notes', {}, pinned)).toEqual({
    version: '67.0',
    label: "Summer '26",
    season: 'Summer',
    year: 2026,
    release: 262,
    url: 'https://help.salesforce.com/s/articleView?id=release-notes.salesforce_release_notes.htm&release=262&type=5',
  })
  await pinned.close()
  expect(simulator.tokens).toBe(0)
})
