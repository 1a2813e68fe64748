import { expect, test } from 'vitest'
import type { Json } from '../../../runtime/domain/index.ts'
import { caseIdOf } from '../../simulators/mailsec/index.ts'
import { mailsecPlugin } from './plugin.ts'

const { call, output, happened, faults, simulator, payroll, travel } = mailsecPlugin('issue_responder')
const first = (): string => caseIdOf(payroll())
const second = (): string => caseIdOf(travel())

test('issues of a time range come from the beta API, as cases with UUIDs, which the case skills take', async () => {
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

test('a time range needs Analyst of the beta API, and v1 may be asked instead', async () => {
  const range = { created_after: '2026-09-01T00:00:00Z', created_before: '2026-09-01T00:05:00Z' }
  expect(await call('get_mailsec_issues', range)).toMatchObject({ failure: { code: 'role_insufficient' } })
  const { issues, api } = await output('get_mailsec_issues', { ...range, time_filter_api: 'v1' })
  expect([api, issues.map(({ id }: { id: string }) => id)]).toEqual(['v1', [payroll()]])
})

test('a case that is not there is not among the answers', async () => {
  expect((await output('get_mailsec_case_details', { case_ids: ['none'] })).cases).toEqual([])
})

test('one case is decided on', async () => {
  const decided = await output('update_mailsec_case_status', { case_id: first(), status: 'closed', remediation: 'block' })
  expect(decided).toMatchObject({ case: { id: first(), status: 'closed', remediation: 'block' } })
  await output('update_mailsec_case_status', { case_id: first(), status: 'open' })
  expect(simulator().case(first())).toMatchObject({ status: 'open', remediation: 'block' })
})

test('several cases in one request: a decision for all, or one for each', async () => {
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

test('a decision is shared or each case’s own, and there is one', () => {
  const wrong = (input: Json): string => faults('update_mailsec_case_statuses', input).join('; ')
  expect(wrong({})).toContain('cases')
  expect(wrong({ case_ids: ['a'] })).toContain('status is missing')
  expect(wrong({ case_ids: ['a'], status: 'open', cases: [{ id: 'b', status: 'open' }] })).toContain('cases must NOT have more than 0 items')
  expect(wrong({ cases: [{ id: 'a', status: 'open' }], status: 'open' })).toContain('status is not allowed together')
  expect(wrong({ cases: [{ id: 'a' }] })).toContain('cases.0.status is missing')
  expect(wrong({ case_ids: ['a'], status: 'open' })).toBe('')
  expect(wrong({ cases: [{ id: 'a', status: 'open' }] })).toBe('')
})

test.each<[string, Json, boolean]>([
  ['the shared decision', { case_ids: ['1', '2'], status: 'closed' }, true],
  ['with the remediation of all', { case_ids: ['1', '2'], status: 'closed', remediation: 'block' }, false],
  ['of one', { case_ids: ['1'], status: 'closed', remediation: 'block' }, true],
  ['another status', { case_ids: ['1', '2'], status: 'open' }, false],
  ['a case that is not there', { case_ids: ['1', 'none'], status: 'closed' }, false],
  [
    'decisions of each',
    {
      cases: [
        { id: '2', status: 'closed' },
        { id: '1', status: 'closed', remediation: 'block' },
      ],
    },
    true,
  ],
  [
    'one that differs',
    {
      cases: [
        { id: '1', status: 'closed' },
        { id: '2', status: 'open' },
      ],
    },
    false,
  ],
  ['a remediation that differs', { cases: [{ id: '1', status: 'closed', remediation: 'mark_spam' }] }, false],
])('the probe tells whether several cases were decided on: %s', async (_, asked, expected) => {
  const cases = [
    { id: first(), status: 'closed', remediation: 'block' },
    { id: second(), status: 'closed', remediation: 'none' },
  ]
  await output('update_mailsec_case_statuses', { cases })
  const named = JSON.parse(JSON.stringify(asked).replaceAll('"1"', JSON.stringify(first())).replaceAll('"2"', JSON.stringify(second()))) as Json
  expect(await happened('update_mailsec_case_statuses', named)).toBe(expected)
})

test('the probe tells whether one case was decided on', async () => {
  await output('update_mailsec_case_status', { case_id: first(), status: 'closed', remediation: 'block' })
  const asked = (more: object): Promise<boolean> => happened('update_mailsec_case_status', { case_id: first(), ...more })
  expect([await asked({ status: 'closed' }), await asked({ status: 'closed', remediation: 'block' })]).toEqual([true, true])
  expect([await asked({ status: 'open' }), await asked({ status: 'closed', remediation: 'none' })]).toEqual([false, false])
})

test('errors: no beta API, no such case, a word that is not known, a role that does not suffice', async () => {
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
