import { expect, test } from 'vitest'
import { api, names, query, send, simulator, token } from './calling.ts'
import { idOf } from './index.ts'

test('a result comes in pages, and each page has the address of the next', async () => {
  simulator.behave({ batch: 200 })
  const soql = 'SELECT Name FROM Contact ORDER BY Name'
  const seen: unknown[] = []
  let page = (await query(soql)).json
  for (;;) {
    expect(page.totalSize).toBe(450)
    seen.push(...page.records.map(({ Name }: { Name: string }) => Name))
    if (page.done) break
    expect(page.nextRecordsUrl).toMatch(/^\/services\/data\/v66\.0\/query\/01g\w{15}-\d+$/)
    page = (await send(page.nextRecordsUrl, { headers: { authorization: `Bearer ${token}` } })).json
  }
  expect(page.nextRecordsUrl).toBeUndefined()
  expect(new Set(seen).size).toBe(450)
  const [first] = [(await query(soql)).json.nextRecordsUrl]
  expect((await send(`${first}?q=x`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(400)
  expect((await api('/query/01g000000000999AAA-200')).json[0].errorCode).toBe('INVALID_QUERY_LOCATOR')
  simulator.behave({ batch: 2000 })
  expect((await api(`/query/?q=${encodeURIComponent(soql)}`, { headers: { 'Sforce-Query-Options': 'batchSize=250' } })).json.records).toHaveLength(
    250,
  )
})

test.each<[string, unknown[]]>([
  ["SELECT Name FROM Account WHERE Name = 'ACCOUNT 7'", ['Account 7']],
  ["SELECT Name FROM Account WHERE Name = 'Müller & S\\u00f6hne\\'s \\\"Best\\\"'", ['Müller & Söhne\'s "Best"']],
  [
    "SELECT Name FROM Account WHERE Name LIKE 'account _' AND (NumberOfEmployees < 30 OR NumberOfEmployees >= 90) ORDER BY Name",
    ['Account 1', 'Account 2', 'Account 9'],
  ],
  ["SELECT Name FROM Account WHERE NOT Name LIKE 'a%'", ['Müller & Söhne\'s "Best"']],
  ["SELECT Name FROM Account WHERE Name LIKE 'account\\_7'", []],
  ["SELECT Name FROM Account WHERE Name IN ('Account 2', 'Account 3') AND Industry != null ORDER BY Name DESC", ['Account 2']],
  ["SELECT Name FROM Account WHERE Name NOT IN ('Account 1') AND NumberOfEmployees <= 20", ['Account 2']],
  [`SELECT Name FROM Account WHERE Id = '${idOf('001', 5).slice(0, 15)}'`, ['Account 5']],
  ['SELECT Name FROM Account ORDER BY NumberOfEmployees DESC LIMIT 2 OFFSET 1', ['Account 39', 'Account 38']],
  ['SELECT Name FROM Account WHERE CreatedDate > 2026-10-13T00:00:00Z ORDER BY Name', ['Account 1', 'Account 2']],
  ['SELECT Name FROM Account WHERE CreatedDate = LAST_N_DAYS:2 ORDER BY Name', ['Account 1', 'Account 2']],
  ['SELECT Name FROM Account WHERE CreatedDate < TODAY AND CreatedDate >= YESTERDAY', ['Account 1']],
  ["SELECT Name FROM Account WHERE Id IN (SELECT AccountId FROM Contact WHERE LastName = 'Person 00004')", ['Account 5']],
  ["SELECT Name FROM Contact WHERE Account.Name = 'Account 5' AND Name LIKE '%00004'", ['Pat Person 00004']],
])('%s', async (soql, expected) => {
  expect(await names(soql)).toEqual(expected)
})

test('parents and children are nested, and aggregates have no address', async () => {
  const { json } = await query('SELECT Account.Owner__c FROM Contact LIMIT 1')
  expect(json[0].errorCode).toBe('INVALID_FIELD')
  expect(
    (await query("SELECT Id, CreatedBy.Name, Account.CreatedBy.Name, Account.Name FROM Contact WHERE LastName = 'Person 00004'")).json.records[0],
  ).toMatchObject({
    Account: { attributes: { type: 'Account' }, Name: 'Account 5', CreatedBy: { attributes: { type: 'User' }, Name: 'Ivy Integration' } },
    CreatedBy: { Name: "Conor O'Brien" },
  })
  expect((await query("SELECT Account.Name FROM Contact WHERE LastName = 'Person 00010'")).json.records[0].Account).toBeNull()
  simulator.behave({ childBatch: 5 })
  const [account] = (
    await query("SELECT Name, (SELECT LastName FROM Contacts ORDER BY LastName), (SELECT Id FROM Cases) FROM Account WHERE Name = 'Account 35'")
  ).json.records
  expect(account.Cases).toBeNull()
  expect(account.Contacts).toMatchObject({
    totalSize: 11,
    done: false,
    nextRecordsUrl: expect.stringContaining('/query/01g'),
    records: [{ LastName: 'Person 00034' }, {}, {}, {}, {}],
  })
  expect(
    (await query('SELECT Department, COUNT(Id), MAX(LastName) newest FROM Contact GROUP BY Department ORDER BY COUNT(Id) DESC, Department')).json
      .records[0],
  ).toEqual({
    attributes: { type: 'AggregateResult' },
    Department: 'Finance',
    expr0: 150,
    newest: 'Person 00449',
  })
  expect((await query('SELECT COUNT() FROM Contact')).json).toEqual({ totalSize: 450, done: true, records: [] })
  expect(Object.keys((await query('SELECT FIELDS(STANDARD) FROM Account LIMIT 1')).json.records[0])).not.toContain('External_Id__c')
})

test.each<[string, string]>([
  ['SELECT', 'MALFORMED_QUERY'],
  ['', 'MALFORMED_QUERY'],
  ['SELECT Id FROM Account; SELECT Id FROM Contact', 'MALFORMED_QUERY'],
  ["SELECT Id FROM Account WHERE Name = 'a' AND Industry = 'b' OR Website = 'c'", 'MALFORMED_QUERY'],
  ["SELECT Id FROM Account WHERE Name = 'a\\q'", 'MALFORMED_QUERY'],
  ["SELECT Id FROM Account WHERE Name = 'a\nb'", 'MALFORMED_QUERY'],
  ['SELECT Id, id FROM Account', 'MALFORMED_QUERY'],
  ['SELECT Name n FROM Account', 'MALFORMED_QUERY'],
  ['SELECT FIELDS(ALL) FROM Account', 'MALFORMED_QUERY'],
  ['SELECT Nope FROM Account', 'INVALID_FIELD'],
  ["SELECT Id FROM Account WHERE Nope = 'a'", 'INVALID_FIELD'],
  ["SELECT Id FROM Account WHERE CreatedDate > '2026-01-01T00:00:00Z'", 'INVALID_FIELD'],
  ['SELECT Id FROM Account WHERE Name = 1', 'INVALID_FIELD'],
  ["SELECT Id FROM Account WHERE Id = 'x'", 'INVALID_QUERY_FILTER_OPERATOR'],
  ['SELECT Id FROM Nope', 'INVALID_TYPE'],
  ['SELECT Id FROM Account OFFSET 2001', 'NUMBER_OUTSIDE_VALID_RANGE'],
  ["SELECT Id FROM SetupAuditTrail WHERE Display LIKE '%a%'", 'INVALID_FIELD'],
  ["SELECT Id FROM SetupAuditTrail WHERE Section = 'a'", 'INVALID_FIELD'],
  ['SELECT Action, COUNT(Id) FROM SetupAuditTrail GROUP BY Action', 'MALFORMED_QUERY'],
  ['SELECT Name, COUNT(Id) FROM Account GROUP BY Industry', 'MALFORMED_QUERY'],
])('refused: %s', async (soql, errorCode) => {
  expect(await query(soql)).toMatchObject({ status: 400, json: [{ errorCode }] })
})

test('the audit trail can be counted and sorted; grouping by event type can be switched off', async () => {
  expect((await query('SELECT COUNT() FROM SetupAuditTrail')).json.totalSize).toBe(120)
  const { json } = await query("SELECT Display, CreatedBy.Username FROM SetupAuditTrail WHERE Action = 'PermSetAssign' ORDER BY Display LIMIT 1")
  expect(json.records[0]).toMatchObject({
    Display: 'Permission set "Export Data": assigned to user (1)',
    CreatedBy: { Username: 'ivy.integration@acme.example' },
  })
  const grouped = 'SELECT EventType FROM EventLogFile GROUP BY EventType'
  expect((await query(grouped)).json.records.map(({ EventType }: { EventType: string }) => EventType)).toEqual(['Login', 'API', 'ReportExport'])
  simulator.behave({ ungroupable: new Set(['EventLogFile.EventType']) })
  expect((await query(grouped)).json[0].errorCode).toBe('MALFORMED_QUERY')
})
