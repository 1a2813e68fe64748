import { describe, expect, test } from 'vitest'
import type { Json } from '../../../runtime/domain/index.ts'
import { type Failure, idOf } from '../../simulators/crm/index.ts'
import { account, host, output, refused, simulator, tries } from './system.ts'

describe('queries', () => {
  test('all pages up to max_rows are read, and their progress is logged', async () => {
    const all = await output('execute_crm_query', { query: 'SELECT Id FROM Contact ORDER BY Id', max_rows: 10_000 })
    expect(all).toMatchObject({ total: 4500, truncated: false, children_truncated: false })
    expect(new Set(all.records.map(({ Id }: { Id: string }) => Id)).size).toBe(4500)
    expect(host.lines).toEqual([
      'info page read {"page":1,"records":2000,"total":4500}',
      'info page read {"page":2,"records":4000,"total":4500}',
      'info page read {"page":3,"records":4500,"total":4500}',
    ])
    const some = await output('execute_crm_query', { query: 'SELECT Id FROM Contact', max_rows: 2001 })
    expect(some.records).toHaveLength(2001)
    expect(some.truncated).toBe(true)
    const first = await output('execute_crm_query', { query: 'SELECT Id FROM Contact' })
    expect(first.records).toHaveLength(2000)
    expect(first.truncated).toBe(true)
  })

  test('a result of exactly max_rows is not truncated', async () => {
    expect(await output('execute_crm_query', { query: 'SELECT Id FROM Account', max_rows: 40 })).toMatchObject({ total: 40, truncated: false })
    expect(await output('execute_crm_query', { query: "SELECT Id FROM Account WHERE Name = 'nobody'" })).toMatchObject({
      records: [],
      total: 0,
      truncated: false,
    })
    expect(await output('execute_crm_query', { query: 'SELECT COUNT() FROM Contact' })).toMatchObject({ records: [], total: 4500, truncated: false })
  })

  test('parents, children over several pages, aggregates and deleted records are read', async () => {
    simulator.behave({ childBatch: 50 })
    const { records, children_truncated: cut } = await output('execute_crm_query', {
      query: "SELECT Name, (SELECT LastName, Account.Name FROM Contacts ORDER BY LastName) FROM Account WHERE Name IN ('Account 5', 'Account 6')",
    })
    expect(records[0].Contacts).toMatchObject({ totalSize: 113, done: true })
    expect(records[0].Contacts.records).toHaveLength(113)
    expect(records[0].Contacts.nextRecordsUrl).toBeUndefined()
    expect(records[0].Contacts.records[112].Account.Name).toBe('Account 5')
    expect(cut).toBe(false)
    const grouped = await output('execute_crm_query', {
      query: 'SELECT Department, COUNT(Id) n FROM Contact GROUP BY Department ORDER BY Department',
    })
    expect(grouped.records).toContainEqual({ attributes: { type: 'AggregateResult' }, Department: 'Sales', n: 1500 })
    await output('delete_crm_record', { object: 'Account', record_id: account })
    const one = { query: `SELECT Id FROM Account WHERE Id = '${account}'` }
    expect((await output('execute_crm_query', one)).total).toBe(0)
    expect((await output('execute_crm_query', { ...one, include_deleted: true })).total).toBe(1)
  })

  test('children that were not fetched are reported', async () => {
    simulator.behave({ childBatch: 10 })
    const { records, children_truncated: cut } = await output('execute_crm_query', {
      query: "SELECT Name, (SELECT Id FROM Contacts) FROM Account WHERE Name LIKE 'Account %' ORDER BY Name",
      max_rows: 45,
    })
    expect(cut).toBe(true)
    expect(records.at(-1).Contacts).toMatchObject({ totalSize: 113, done: false })
  })

  test.each([
    'DELETE FROM Account',
    'SELECT Id FROM Account; DELETE FROM Account',
    'SELECT Id FROM Account FOR UPDATE',
    'SELECT Id FROM Account FOR VIEW',
    'SELECT Id FROM Account -- x',
    `SELECT Id FROM Account WHERE Name IN (${Array.from({ length: 900 }, (_, at) => `'name ${at}'`).join(',')})`,
  ])('refused before anything is sent: %s', async (query) => {
    const { requests } = simulator.counts
    expect(await host.call('execute_crm_query', { query })).toMatchObject({ ok: false, effect: 'not_sent', failure: { code: 'query_refused' } })
    expect(simulator.counts.requests).toBe(requests)
  })

  test.each([
    ['SELECT Nope FROM Account', 'invalid_field'],
    ['SELECT Id FROM Nope', 'invalid_object'],
    ["SELECT Id FROM Account WHERE CreatedDate > '2026-01-01T00:00:00Z'", 'invalid_field'],
    ["SELECT Id FROM Account WHERE Name = 'a' AND Name = 'b' OR Name = 'c'", 'malformed_query'],
  ])('%s: %s', async (query, code) => {
    expect(await host.call('execute_crm_query', { query })).toEqual(refused(code))
  })

  test.each<[Failure['failure'], string]>([
    ['server_error', 'vendor_unavailable'],
    ['unavailable', 'vendor_unavailable'],
    ['rate_limited', 'rate_limited'],
    ['request_limit', 'request_limit_exceeded'],
    ['query_timeout', 'query_timeout'],
    ['cut_in_body', 'network'],
    ['cut_before_effect', 'network'],
    ['html', 'answer_not_understood'],
  ])('%s in the middle of the pages is an error, not a short list', async (failure, code) => {
    simulator.fail({ failure, path: '/services/data/v67.0/query/', times: tries })
    expect(await host.call('execute_crm_query', { query: 'SELECT Id FROM Contact', max_rows: 5000 })).toMatchObject({
      ok: false,
      effect: 'refused',
      failure: { code },
    })
  })

  test('a short failure in the middle of the pages is retried', async () => {
    simulator.fail({ failure: 'unavailable', path: '/services/data/v67.0/query/', times: tries - 1 })
    expect(await output('execute_crm_query', { query: 'SELECT Id FROM Contact', max_rows: 5000 })).toMatchObject({ total: 4500, truncated: false })
  })

  test('a token that expires in the middle of the pages is renewed', async () => {
    simulator.fail({ failure: 'session_expired', path: '/services/data/v67.0/query/' })
    expect(await output('execute_crm_query', { query: 'SELECT Id FROM Contact', max_rows: 5000 })).toMatchObject({ total: 4500, truncated: false })
    expect(simulator.tokens).toBe(2)
  })
})

describe('reports', () => {
  test('metadata, facts and groupings are returned, and details unless they are switched off', async () => {
    const report = await output('get_crm_report', { report_id: idOf('00O', 3) })
    expect(Object.keys(report)).toEqual(expect.arrayContaining(['reportMetadata', 'factMap', 'groupingsAcross', 'groupingsDown']))
    expect(report.reportMetadata.name).toBe('Cases by status and priority')
    expect(report.groupingsDown.groupings.map(({ label }: { label: string }) => label)).toEqual(['Closed', 'New'])
    expect(report.factMap['T!T'].aggregates[0].value).toBe(12)
    expect(report).toMatchObject({ allData: true, hasDetailRows: true })
    expect((await output('get_crm_report', { report_id: idOf('00O', 1) })).factMap['T!T'].rows).toHaveLength(12)
    expect((await output('get_crm_report', { report_id: idOf('00O', 1), include_details: false })).factMap['T!T'].rows).toBeUndefined()
  })

  test('a report that is cut short says so, and a missing report is an error', async () => {
    expect((await output('get_crm_report', { report_id: idOf('00O', 4) })).allData).toBe(false)
    expect(await host.call('get_crm_report', { report_id: idOf('00O', 99) })).toEqual(refused('not_found'))
  })
})

describe('the setup audit trail', () => {
  test('the newest entries come first, as many as requested', async () => {
    const { entries, truncated } = await output('get_crm_setup_audit_trail', { max_entries: 3 })
    expect(truncated).toBe(true)
    expect(entries.map(({ created_at: at }: { created_at: string }) => at)).toEqual([
      '2026-10-15T12:00:00.000Z',
      '2026-10-15T11:30:00.000Z',
      '2026-10-15T11:00:00.000Z',
    ])
    expect(entries[0]).toMatchObject({
      action: 'PermSetAssign',
      user_name: 'ivy.integration@acme.example',
      user_display_name: 'Ivy Integration',
      section: 'Manage Users',
    })
    expect(await output('get_crm_setup_audit_trail', { max_entries: 120 })).toMatchObject({ truncated: false })
  })

  test.each<[object, number]>([
    [{ last: '24h' }, 48],
    [{ last: '90m' }, 3],
    [{ created_after: '2026-10-15T00:00:00Z' }, 25],
    [{ created_before: '2026-10-14T00:00:00+00:00' }, 47],
    [{ created_after: '2026-10-14T00:00:00Z', created_before: '2026-10-15T00:00:00Z' }, 48],
    [{ actions: ['PermSetAssign'] }, 24],
    [{ actions: ['PermSetAssign', 'connectedappcreate'] }, 48],
    [{ user: "Conor O'Brien" }, 24],
    [{ user: 'conor.obrien@acme.example' }, 24],
    [{ user: idOf('005', 4) }, 24],
    [{ user: idOf('005', 4).slice(0, 15), actions: ['connectedappcreate'], last: '7d' }, 24],
    [{ user: idOf('005', 4), actions: ['PermSetAssign'] }, 0],
  ])('%j: %i entries', async (input, count) => {
    expect((await output('get_crm_setup_audit_trail', input as Json)).entries).toHaveLength(count)
  })

  test.each([
    [{ user: "' OR Name != '" }, 'user_unknown'],
    [{ user: 'nobody@acme.example' }, 'user_unknown'],
    [{ user: 'a\u0000b' }, 'input_refused'],
    [{ last: '24h', created_after: '2026-10-14T00:00:00Z' }, 'input_refused'],
    [{ created_after: '2026-10-14T00:00:00Z', created_before: '2026-10-14T00:00:00Z' }, 'input_refused'],
  ])('%j: %s', async (input, code) => {
    expect(await host.call('get_crm_setup_audit_trail', input)).toEqual(refused(code))
  })

  test('quotes in an action stay inside its literal', async () => {
    expect((await output('get_crm_setup_audit_trail', { actions: ["x' OR Action != '", '\\', "') OR (Id != '"] })).entries).toEqual([])
  })
})
