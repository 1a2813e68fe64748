import { expect, test } from 'vitest'
import type { Json } from '../../../runtime/domain/index.ts'
import { caseIdOf } from '../../simulators/mailsec/index.ts'
import { mailsecPlugin } from './plugin.ts'

const { call, output, happened, faults, simulator, payroll, travel } = mailsecPlugin('issue_responder')
const first = (): string => caseIdOf(payroll())
const second = (): string => caseIdOf(travel())

test('issues of a time range come from the beta API as cases, and the case skills take their UUIDs', async () => {
  simulator().setRole('analyst')
  const { issues, api } = await output('get_mailsec_issues', { created_before: '2026-09-01T00:15:00Z' })
  expect([api, issues.map(({ id }: { id: string }) => id)]).toEqual(['beta', [first(), second()]])
  const { cases } = await output('get_mailsec_case_details', { case_ids: issues.map(({ id }: { id: string }) => id), messages_per_case: 2 })
  expect(cases).toMatchObject([
    { id: first(), issueId: payroll(), messageCount: 3, messages: [{ sender: 'hr-payroll@acme-payroll.example' }, {}] },
    { id: second(), messages: [{}] },
  ])
  expect((await output('get_mailsec_issues', { severity: 'high' })).api).toBe('v1')
})

test('a time range needs the role Analyst on the beta API, but not on v1', async () => {
  const range = { created_after: '2026-09-01T00:00:00Z', created_before: '2026-09-01T00:05:00Z' }
  expect(await call('get_mailsec_issues', range)).toMatchObject({ failure: { code: 'role_insufficient' } })
  const { issues, api } = await output('get_mailsec_issues', { ...range, time_filter_api: 'v1' })
  expect([api, issues.map(({ id }: { id: string }) => id)]).toEqual(['v1', [payroll()]])
})

test('a case that does not exist is missing from the answer', async () => {
  expect((await output('get_mailsec_case_details', { case_ids: ['none'] })).cases).toEqual([])
})

test('one case is updated', async () => {
  const decided = await output('update_mailsec_case_status', { case_id: first(), status: 'closed', remediation: 'block' })
  expect(decided).toMatchObject({ case: { id: first(), status: 'closed', remediation: 'block' } })
  await output('update_mailsec_case_status', { case_id: first(), status: 'open' })
  expect(simulator().case(first())).toMatchObject({ status: 'open', remediation: 'block' })
})

test('several cases are updated in one request, with one update for all or one for each', async () => {
  const requests = simulator().counts.requests
  const { cases } = await output('update_mailsec_case_statuses', { case_ids: [first(), second()], status: 'in_progress', remediation: 'mark_spam' })
  expect(cases).toMatchObject([
    { id: first(), status: 'in_progress', remediation: 'mark_spam' },
    { id: second(), status: 'in_progress' },
  ])
  const each = [
    { id: first(), status: 'closed', remediation: 'block' },
    { id: second(), status: 'open' },
  ]
  await output('update_mailsec_case_statuses', { cases: each })
  expect(simulator().counts.requests).toBe(requests + 2)
  expect([simulator().case(first()), simulator().case(second())]).toMatchObject([each[0], { status: 'open', remediation: 'mark_spam' }])
})

test('an input has either one update for all cases or one for each', () => {
  const wrong = (input: Json): string => faults('update_mailsec_case_statuses', input).join('; ')
  expect(wrong({})).toContain('cases')
  expect(wrong({ case_ids: ['a'] })).toContain('status is missing')
  expect(wrong({ case_ids: ['a'], status: 'open', cases: [{ id: 'b', status: 'open' }] })).toContain('cases must be empty')
  expect(wrong({ cases: [{ id: 'a', status: 'open' }], status: 'open' })).toContain('status is not allowed together')
  expect(wrong({ cases: [{ id: 'a' }] })).toContain('cases.0.status is missing')
  expect(wrong({ case_ids: ['a'], status: 'open' })).toBe('')
  expect(wrong({ cases: [{ id: 'a', status: 'open' }] })).toBe('')
})

test('a case that is named twice is not updated', async () => {
  const { requests } = simulator().counts
  const cases = [
    { id: first(), status: 'closed' },
    { id: first().toUpperCase(), status: 'open' },
  ]
  expect(await call('update_mailsec_case_statuses', { cases })).toMatchObject({
    ok: false,
    effect: 'not_sent',
    failure: { code: 'case_named_twice' },
  })
  expect(simulator().counts.requests).toBe(requests)
})

test.each<[string, Json, boolean]>([
  ['the status of all', { case_ids: ['1', '2'], status: 'closed' }, true],
  ['a remediation that one of them does not have', { case_ids: ['1', '2'], status: 'closed', remediation: 'block' }, false],
  ['the remediation of one', { case_ids: ['1'], status: 'closed', remediation: 'block' }, true],
  ['another status', { case_ids: ['1', '2'], status: 'open' }, false],
  ['a case that does not exist', { case_ids: ['1', 'none'], status: 'closed' }, false],
  [
    'one update for each',
    {
      cases: [
        { id: '2', status: 'closed' },
        { id: '1', status: 'closed', remediation: 'block' },
      ],
    },
    true,
  ],
  [
    'one status that differs',
    {
      cases: [
        { id: '1', status: 'closed' },
        { id: '2', status: 'open' },
      ],
    },
    false,
  ],
  ['a remediation that differs', { cases: [{ id: '1', status: 'closed', remediation: 'mark_spam' }] }, false],
])('the probe tells whether several cases were updated: %s', async (_, asked, expected) => {
  const cases = [
    { id: first(), status: 'closed', remediation: 'block' },
    { id: second(), status: 'closed', remediation: 'none' },
  ]
  await output('update_mailsec_case_statuses', { cases })
  const named = JSON.parse(JSON.stringify(asked).replaceAll('"1"', JSON.stringify(first())).replaceAll('"2"', JSON.stringify(second()))) as Json
  expect(await happened('update_mailsec_case_statuses', named)).toBe(expected)
})

test('the probe tells whether one case was updated', async () => {
  await output('update_mailsec_case_status', { case_id: first(), status: 'closed', remediation: 'block' })
  const asked = (more: object): Promise<boolean> => happened('update_mailsec_case_status', { case_id: first(), ...more })
  expect([await asked({ status: 'closed' }), await asked({ status: 'closed', remediation: 'block' })]).toEqual([true, true])
  expect([await asked({ status: 'open' }), await asked({ status: 'closed', remediation: 'none' })]).toEqual([false, false])
})

test('a missing beta API, an unknown status, a missing case and an insufficient role are told apart', async () => {
  const update = (status: string, case_id = first()): Promise<unknown> => call('update_mailsec_case_status', { case_id, status })
  simulator().setBeta(false)
  for (const result of [await update('open'), await call('get_mailsec_case_details', { case_ids: ['a'] })])
    expect(result).toMatchObject({ effect: 'refused', failure: { code: 'beta_not_enabled', vendor: { status: 403 } } })
  simulator().setBeta(true)
  expect(await update('resolved')).toMatchObject({ failure: { code: 'request_rejected' } })
  expect(await update('open', 'none')).toMatchObject({ failure: { code: 'not_found' } })
  expect(await call('update_mailsec_case_statuses', { case_ids: [first(), 'none'], status: 'closed' })).toMatchObject({
    failure: { code: 'not_found' },
  })
  simulator().setRole('any_admin_role')
  expect(await update('open')).toMatchObject({ failure: { code: 'role_insufficient' } })
})
