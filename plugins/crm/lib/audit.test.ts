import { expect, test } from 'vitest'
import { auditEntry, auditQuery } from './audit.ts'
import { answering } from './testing.ts'
import { createdBy, userIds } from './users.ts'

const none = { period: { after: null, before: null }, by: null, actions: [], limit: 3 }

test('filters become one statement, with times without quotes', () => {
  expect(auditQuery(none)).toMatch(/ FROM SetupAuditTrail ORDER BY CreatedDate DESC, Id DESC LIMIT 3$/)
  const asked = {
    ...none,
    period: { after: Date.UTC(2026, 8, 1), before: Date.UTC(2026, 8, 2) },
    by: createdBy(['005000000000001AAA']),
    actions: ['a', "b'"],
  }
  expect(auditQuery(asked)).toContain(
    "WHERE CreatedDate >= 2026-09-01T00:00:00.000Z AND CreatedDate < 2026-09-02T00:00:00.000Z AND CreatedById = '005000000000001AAA' AND Action IN ('a','b\\'') ORDER",
  )
})

test('converts an entry to the form of the output', () => {
  const record = {
    Id: '0Ym1',
    Action: 'PermSetAssign',
    Section: null,
    Display: 'Text',
    CreatedDate: '2026-09-01T00:00:00.000+0000',
    CreatedById: '0051',
    CreatedBy: { Name: 'Ada', Username: 'ada@acme.example' },
  }
  expect(auditEntry(record)).toEqual({
    id: '0Ym1',
    action: 'PermSetAssign',
    section: null,
    display: 'Text',
    created_at: '2026-09-01T00:00:00.000Z',
    user_id: '0051',
    user_name: 'ada@acme.example',
    user_display_name: 'Ada',
    delegate_user: null,
    context: null,
    namespace: null,
  })
  expect(auditEntry({ ...record, CreatedBy: null })).toMatchObject({ user_name: null, user_display_name: null })
})

test('an id is not looked up; any name is looked up, quoted', async () => {
  expect(await userIds(answering(), '005000000000001AAA')).toEqual(['005000000000001AAA'])
  const call = answering({ totalSize: 1, done: true, records: [{ Id: '0052' }] })
  expect(await userIds(call, "Conor O'Brien")).toEqual(['0052'])
  expect(call.asked).toEqual([
    "/query SELECT Id FROM User WHERE (Username = 'Conor O\\'Brien' OR Email = 'Conor O\\'Brien' OR Name = 'Conor O\\'Brien') LIMIT 50",
  ])
})
