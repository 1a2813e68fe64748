import { expect, test } from 'vitest'
import { type Answer, simulated } from '../testing.ts'

const { call, simulator } = simulated('analyst', { searches: { pending: 1, running: 2, done: 3 } })

const start = async (query: string, more: object = {}): Promise<string> =>
  (await call('/api/v1/messages/searches', { method: 'POST', body: { query, ...more } })).json.id
const look = (id: string, query = ''): Promise<Answer> => call(`/api/v1/messages/searches/${encodeURIComponent(id)}${query}`)

test('a search goes from pending to running to done, and expires, only by reads', async () => {
  const id = await start('subject:payroll')
  const seen: unknown[] = []
  for (let looks = 0; looks < 6; looks += 1) {
    const { json } = await look(id)
    seen.push([json.status, json.items.length, json.meta.totalCount])
  }
  expect(seen).toEqual([
    ['PENDING', 0, 0],
    ['RUNNING', 0, 0],
    ['RUNNING', 0, 0],
    ['DONE', 3, 3],
    ['DONE', 3, 3],
    ['DONE', 3, 3],
  ])
  const expired = await look(id)
  expect([expired.status, expired.json.error.code]).toEqual([410, 'search_expired'])
  expect((await look('srch.1.none')).json.error.code).toBe('not_found')
})

test('reading another page of the results does not count as a read of the job', async () => {
  const id = await start('subject:payroll')
  for (let looks = 0; looks < 3; looks += 1) await look(id)
  const seen = new Set<string>()
  let cursor: string | null = ''
  for (let pages = 0; cursor !== null; pages += 1) {
    const page: Answer = await look(id, `?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`)
    for (const item of page.json.items) seen.add(item.id)
    cursor = page.json.meta.nextCursor
    expect(pages).toBeLessThan(4)
  }
  expect(seen.size).toBe(3)
})

test('an analyst sees metadata, a content admin also content', async () => {
  const id = await start('sender:hr-payroll AND recipient:ada')
  for (let looks = 0; looks < 3; looks += 1) await look(id)
  expect((await look(id)).json.items).toEqual([expect.not.objectContaining({ content: expect.anything() })])
  simulator().setRole('email_content_admin')
  expect((await look(id)).json.items).toEqual([expect.objectContaining({ content: { text: expect.stringContaining('Please open') } })])
})

test('only a content admin can search in content', async () => {
  const body = { query: 'body:"Please open"' }
  expect((await call('/api/v1/messages/searches', { method: 'POST', body })).status).toBe(403)
  simulator().setRole('email_content_admin')
  expect((await call('/api/v1/messages/searches', { method: 'POST', body })).status).toBe(202)
})

test('terms are combined, quoted values may contain anything, and times limit the results', async () => {
  const found = async (query: string, more: object = {}): Promise<number> => {
    const id = await start(query, more)
    for (let looks = 0; looks < 3; looks += 1) await look(id)
    return (await look(id)).json.meta.totalCount
  }
  expect(await found('subject:"Action required: confirm" AND recipient:Ada')).toBe(1)
  expect(await found('subject:"a \\"quote\\""')).toBe(0)
  expect(await found('subject:payroll', { receivedBefore: '2026-09-01T00:10:00Z' })).toBe(1)
  expect(await found('subject:payroll', { receivedAfter: '2026-09-01T00:10:00Z' })).toBe(2)
})

test.each([
  [{}, 'Nothing'],
  [{ query: '' }, 'query must be a text'],
  [{ query: 'payroll' }, 'character 1'],
  [{ query: 'subject:a sender:b' }, 'character 1'],
  [{ query: 'subject:a OR sender:b' }, 'character 1'],
  [{ query: 'subject:a AND ' }, 'character 14'],
  [{ query: 'subject:"a' }, 'character 1'],
  [{ query: 'from:a' }, 'names from'],
  [{ query: 'subject:a', since: 'today' }, 'since is unknown'],
  [{ query: 'subject:a', receivedAfter: 'today' }, 'ISO 8601'],
])('a wrong search is refused: %j', async (body, message) => {
  const answer = await call('/api/v1/messages/searches', { method: 'POST', body })
  expect([answer.status, answer.json.error.message]).toEqual([400, expect.stringContaining(message)])
})

test('a search can fail', async () => {
  simulator().failNextSearch()
  const id = await start('subject:payroll')
  for (let looks = 0; looks < 3; looks += 1) await look(id)
  expect((await look(id)).json.status).toBe('FAILED')
})

test('every request of a search needs Analyst', async () => {
  const id = await start('subject:payroll')
  simulator().setRole('issue_responder')
  expect((await look(id)).status).toBe(403)
  expect((await call('/api/v1/messages/searches', { method: 'POST', body: { query: 'subject:a' } })).status).toBe(403)
})
