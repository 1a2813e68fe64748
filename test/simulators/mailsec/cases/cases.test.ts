import { expect, test } from 'vitest'
import { caseIdOf } from '../seed.ts'
import { type Answer, simulated } from '../testing.ts'

const { call, simulator } = simulated('issue_responder')
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/
const phishing = (): string => caseIdOf(simulator().issueNamed('User reported: Action required: confirm your payroll details')?.id ?? '')
const other = (): string => caseIdOf(simulator().issueNamed('User reported: Your September travel digest')?.id ?? '')
const patch = (body: object, path = ''): Promise<Answer> => call(`/api/beta/cases${path}`, { method: 'PATCH', body })

test('time-filtered issues of the beta API have UUIDs, and need Analyst', async () => {
  const path = '/api/beta/issues?createdBefore=2026-09-01T00:05:00Z'
  expect((await call(path)).status).toBe(403)
  simulator().setRole('analyst')
  expect((await call(path)).json.items).toEqual([expect.objectContaining({ id: expect.stringMatching(uuid), status: 'open' })])
})

test('returns cases by id, with some of their messages', async () => {
  const { json } = await call(`/api/beta/cases?id=${phishing()}&id=${other()}&messages=2`)
  expect(json.items).toMatchObject([
    { id: phishing(), messageCount: 3, messages: [{ subject: expect.stringContaining('payroll') }, {}] },
    { id: other(), messages: [{}] },
  ])
  expect((await call('/api/beta/cases?messages=26')).status).toBe(400)
})

test('decides one case', async () => {
  expect((await patch({ status: 'closed', remediation: 'block' }, `/${phishing()}`)).json).toMatchObject({ status: 'closed', remediation: 'block' })
  expect(simulator().case(phishing())).toMatchObject({ status: 'closed' })
  expect((await patch({ status: 'resolved' }, `/${phishing()}`)).status).toBe(400)
  expect((await patch({ status: 'open' }, '/none')).status).toBe(404)
})

test('decides several cases at once: with one decision for all, or one for each', async () => {
  const ids = [phishing(), other()]
  expect((await patch({ caseIds: ids, status: 'in_progress' })).json.items).toMatchObject(ids.map((id) => ({ id, status: 'in_progress' })))
  await patch({
    cases: [
      { id: phishing(), status: 'closed', remediation: 'block' },
      { id: other(), status: 'open' },
    ],
  })
  expect(ids.map((id) => simulator().case(id)?.status)).toEqual(['closed', 'open'])
})

test.each([
  [{ caseIds: ['none'], status: 'open' }, 404],
  [{ status: 'open' }, 400],
  [{ caseIds: ['a'] }, 400],
  [{ cases: [{ id: 'a', status: 'open' }], status: 'open' }, 400],
  [{ caseIds: ['a'], cases: [{ id: 'a', status: 'open' }], status: 'open' }, 400],
  [{ cases: [{ status: 'open' }] }, 400],
])('a wrong decision changes nothing: %j', async (body, status) => {
  const before = simulator().case(phishing())
  const known = JSON.parse(JSON.stringify(body).replaceAll('"a"', JSON.stringify(phishing()))) as object
  expect((await patch(known)).status).toBe(status)
  expect(simulator().case(phishing())).toEqual(before)
})

test('a tenant may lack the beta API', async () => {
  simulator().setBeta(false)
  expect((await call('/api/beta/cases')).json.error.code).toBe('beta_not_enabled')
  expect((await call('/api/v1/issues')).status).toBe(200)
  simulator().setBeta(true)
})
