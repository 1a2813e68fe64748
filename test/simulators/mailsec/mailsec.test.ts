import { expect, test } from 'vitest'
import { type Answer, simulated } from './testing.ts'

const { call, simulator } = simulated('issue_responder')

const firstIssue = async (): Promise<string> => (await call('/api/v1/issues?limit=1')).json.items[0].id as string

test('a listing has the shape of specification 2.5', async () => {
  const { status, json } = await call('/api/v1/issues?status=open&limit=1')
  expect(status).toBe(200)
  expect(json.meta).toEqual({ totalCount: 14, limit: 1, hasMore: true, nextCursor: expect.any(String) })
  expect(json.items).toEqual([expect.objectContaining({ id: expect.stringMatching(/^iss\.1\./), name: expect.any(String), status: 'open' })])
})

test('cursors lead through every issue once, even while issues change', async () => {
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: Answer = await call(`/api/v1/issues?status=open&limit=5${cursor === null ? '' : `&cursor=${cursor}`}`)
    seen.push(...page.json.items.map((item: { id: string }) => item.id))
    cursor = page.json.meta.nextCursor
    expect(page.json.meta.hasMore).toBe(cursor !== null)
    if (seen.length === 5) {
      const gone = encodeURIComponent(String(seen[0]))
      await call(`/api/v1/issues/${gone}`, { method: 'PATCH', body: { status: 'resolved' } })
    }
  } while (cursor !== null)
  expect(new Set(seen).size).toBe(14)
  expect(seen).toHaveLength(14)
  await call(`/api/v1/issues/${encodeURIComponent(String(seen[0]))}`, { method: 'PATCH', body: { status: 'open' } })
})

test.each([
  ['/api/v1/issues?state=open', 'state'],
  ['/api/v1/issues?status=opened', 'status must be one of'],
  ['/api/v1/issues?limit=0', 'limit'],
  ['/api/v1/issues?limit=201', 'limit'],
  ['/api/v1/issues?status=open&status=open', 'twice'],
  ['/api/v1/issues?cursor=abc', 'cursor'],
  ['/api/v1/issues?createdAfter=yesterday', 'ISO 8601'],
])('a wrong query is refused: %s', async (path, message) => {
  const { status, json } = await call(path)
  expect(status).toBe(400)
  expect(json.error.message).toContain(message)
})

test('refuses a cursor of another listing', async () => {
  const { json } = await call('/api/v1/issues?status=open&limit=1')
  expect((await call(`/api/v1/issues?severity=low&limit=1&cursor=${json.meta.nextCursor}`)).status).toBe(400)
})

test('checks the secret; a missing header has an error of its own', async () => {
  expect((await call('/api/v1/issues', { secret: 'wrong' })).json.error.code).toBe('unauthorized')
  const missing = await call('/api/v1/issues', { secret: null })
  expect([missing.status, missing.json.error.code]).toEqual([401, 'authentication_header_missing'])
})

test('wrong paths: an API path answers JSON, a page path HTML, a wrong method 405', async () => {
  expect((await call('/api/v1/issue')).json.error.code).toBe('endpoint_not_found')
  expect((await call('/api/v2/issues')).json.error.code).toBe('endpoint_not_found')
  expect((await call('/issues')).type).toContain('text/html')
  expect((await call('/api/v1/issues', { method: 'DELETE' })).status).toBe(405)
})

test('an id must be encoded as one segment', async () => {
  const id = simulator().issueNamed('Suspicious message to sales (1)')?.id ?? ''
  expect((await call(`/api/v1/issues/${encodeURIComponent(id)}`)).json.id).toBe(id)
  expect((await call('/api/v1/issues/iss.1.a/b')).status).toBe(404)
})

test('an update sets the fields that it names, replaces the remediation list, and is counted', async () => {
  const issue = simulator().issueNamed('User reported: Action required: confirm your payroll details')
  const before = simulator().counts.writes
  const updates = simulator().updatesOf(issue?.id ?? '')
  const path = `/api/v1/issues/${encodeURIComponent(issue?.id ?? '')}`
  const { status, json } = await call(path, { method: 'PATCH', body: { remediationActions: ['block'], classification: 'malicious' } })
  expect(status).toBe(200)
  expect(json).toMatchObject({ remediationActions: ['block'], classification: 'malicious', status: 'open' })
  expect((await call(path)).json).toEqual(json)
  expect(simulator().counts.writes).toBe(before + 1)
  expect(simulator().updatesOf(issue?.id ?? '')).toBe(updates + 1)
})

test.each([[{}], [{ state: 'open' }], [{ status: 'opened' }], [{ remediationActions: 'block' }], [[]]])(
  'a wrong update changes nothing: %j',
  async (body) => {
    const id = await firstIssue()
    const before = simulator().issue(id)
    expect((await call(`/api/v1/issues/${encodeURIComponent(id)}`, { method: 'PATCH', body })).status).toBe(400)
    expect(simulator().issue(id)).toBe(before)
  },
)

test('a message has the requested parts; content needs Email Content Admin', async () => {
  const issue = await firstIssue()
  const { json } = await call(`/api/v1/issues/${encodeURIComponent(issue)}/messages`)
  const path = `/api/v1/messages/${encodeURIComponent(json.items[0].id)}`
  const plain = await call(path)
  expect(plain.json).not.toHaveProperty('links')
  const more = await call(`${path}?include=links&include=issue`)
  expect(more.json).toMatchObject({ links: [{ verdict: expect.any(String) }], issue: { id: issue } })
  expect((await call(`${path}?include=content`)).status).toBe(403)
  simulator().setRole('email_content_admin')
  expect((await call(`${path}?include=content`)).json.content.text).toEqual(expect.any(String))
})

test('marking messages needs Analyst, and known messages', async () => {
  const { json } = await call(`/api/v1/issues/${encodeURIComponent(await firstIssue())}/messages`)
  const body = { messageIds: [json.items[0].id] }
  expect((await call('/api/v1/messages/mark-suspicious', { method: 'POST', body })).status).toBe(403)
  simulator().setRole('analyst')
  expect((await call('/api/v1/messages/mark-suspicious', { method: 'POST', body })).status).toBe(202)
  expect((await call('/api/v1/messages/mark-suspicious', { method: 'POST', body: { messageIds: ['none'] } })).status).toBe(404)
})

test('finds accounts by address, ignoring case', async () => {
  const { json } = await call('/api/v1/accounts?email=Alan.Turing%40acme.example')
  expect(json.items).toEqual([
    expect.objectContaining({ name: 'Alan Turing', mailbox: expect.objectContaining({ forwarding: [expect.anything()] }) }),
  ])
})

test('failure switches: answers instead of the effect, a set number of times', async () => {
  simulator().fail({ failure: 'rate_limited', retryAfter: 7, times: 2 })
  simulator().fail({ failure: 'html' })
  const first = await call('/api/v1/issues')
  expect([first.status, first.headers['retry-after']]).toEqual([429, '7'])
  expect((await call('/api/v1/issues')).status).toBe(429)
  expect((await call('/api/v1/issues')).type).toContain('text/html')
  expect((await call('/api/v1/issues')).status).toBe(200)
})

test('failure switches: a cut before the effect prevents it, and a cut after the effect does not', async () => {
  const id = await firstIssue()
  const path = `/api/v1/issues/${encodeURIComponent(id)}`
  const patch = (assignee: string): Promise<Answer> => call(path, { method: 'PATCH', body: { assignee } })
  simulator().fail({ failure: 'cut_before_effect', method: 'PATCH' })
  await expect(patch('before')).rejects.toThrow()
  expect(simulator().issue(id)?.assignee).not.toBe('before')
  simulator().fail({ failure: 'cut_after_effect', method: 'PATCH' })
  await expect(patch('after')).rejects.toThrow()
  expect(simulator().issue(id)?.assignee).toBe('after')
  simulator().fail({ failure: 'server_error_after_effect', method: 'PATCH' })
  expect((await patch('gateway')).status).toBe(500)
  expect(simulator().issue(id)?.assignee).toBe('gateway')
  simulator().fail({ failure: 'cut_in_body' })
  await expect(call(path)).rejects.toThrow()
})

test('failure switches: a held answer is sent when it is released', async () => {
  simulator().fail({ failure: 'hold' })
  const held = call('/api/v1/issues?limit=1')
  await expect.poll(() => simulator().faults.holding).toBe(1)
  expect(simulator().faults.release()).toBe(1)
  expect((await held).status).toBe(200)
})

test('the switches and counters have an HTTPS interface', async () => {
  await call('/_simulator/failures', { method: 'POST', body: { failure: 'server_error' } })
  expect((await call('/api/v1/issues')).status).toBe(500)
  expect((await call('/_simulator/counts')).json.requests).toBe(simulator().counts.requests - 1)
})
