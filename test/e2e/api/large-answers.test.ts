import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemIds } from '../../../runtime/config/index.ts'
import { type AlertUuid, asId, runId, type SessionId, systemScope } from '../../../runtime/domain/index.ts'
import type { Turns } from '../../../runtime/fairness/index.ts'
import { type Answer, clientOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'
import { claimFirst } from '../../support/api/waiting-run.ts'

/** Text that JSON must escape. It takes the longest to write. */
const quotes = '"'.repeat(100_000)

/** The key of each request for a turn of the event loop. */
const asked: string[] = []
const turns: Turns = {
  next: (key) => {
    asked.push(key)
    return Promise.resolve()
  },
}

let api: ApiServer
let admin: ReturnType<typeof clientOf>
let organization: string
let alert: Answer['body']
let caseUrl: string

beforeAll(async () => {
  api = await startApi({ turns, bodyLimit: 1_048_576 })
  admin = clientOf(api.app, api.admin)
  await admin('POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
  await admin('POST', '/platformapi/providers', { code: 'edr', name: 'EDR' })
  const session = asId<SessionId>(systemIds.uuid())
  await api.store.sessions.open(systemScope, { id: session, host: 'test', pid: 1 })
  alert = (await admin('POST', '/platformapi/alerts', alertOf(quotes))).body
  organization = alert.organization_uuid
  const { run, position } = await claimFirst(api, alert, session)
  caseUrl = `/platformapi/cases/${run.caseId}`
  for (let count = 0; count < 5; count += 1) await admin('POST', `${caseUrl}/comments`, { text: '"'.repeat(20_000) })
  const cause = { code: 'network', message: 'no route', remedy: null, step: 'ask.one' }
  await api.store.runs.end(systemScope, {
    run: runId(asId<AlertUuid>(alert.alert_uuid), 1),
    epoch: 1,
    position,
    records: [],
    state: 'failed',
    reason: null,
    failure: { ...cause, step: 'ask', vendor: { errorId: 500 }, causes: [cause, cause] },
    retryAt: null,
    at: api.clock.now(),
    entries: [],
  })
})
afterAll(() => api.close())

const alertOf = (content: string) => ({ alert_content: content, alert_provider: 'edr', organization_code: 'ACME', alert_type: 't' })

/** Sends a request. Returns its answer, and how many turns it asked for under the key of the organization. */
async function turnsOf(method: string, url: string, body?: unknown): Promise<{ answer: Answer['body']; count: number }> {
  asked.length = 0
  const { status, body: answer, headers } = await admin(method, url, body)
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  return { answer, count: asked.filter((key) => key === organization).length }
}

test('a large alert is written in turns when it is created, read or retried', async () => {
  for (const [method, path, body] of [
    ['POST', '', alertOf(quotes)],
    ['GET', `/${alert.alert_id}`, undefined],
    ['POST', `/${alert.alert_id}/retry`, undefined],
  ] as const) {
    const { answer, count } = await turnsOf(method, `/platformapi/alerts${path}`, body)
    expect(answer.alert_content).toBe(quotes)
    expect(count).toBeGreaterThan(2)
  }
})

test('a large case is written in turns when it is read or changed, and so is its timeline', async () => {
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { assignee: 'ana' }],
    ['GET', '/timeline', undefined],
  ] as const) {
    const { answer, count } = await turnsOf(method, `${caseUrl}${path}`, body)
    const comments = (answer.timeline ?? answer.items).filter(({ kind }: Answer['body']) => kind === 'comment')
    expect(comments.map(({ text }: Answer['body']) => text.length)).toEqual(Array(5).fill(20_000))
    expect(count).toBeGreaterThan(2)
  }
})

test('a small answer needs no turn', async () => {
  expect((await turnsOf('POST', '/platformapi/alerts', alertOf('small'))).count).toBe(0)
})

test('an answer has the fields of its schema, and no others', async () => {
  const { answer } = await turnsOf('GET', `/platformapi/alerts/${alert.alert_id}`)
  expect(answer.runs[0].failure).toEqual({ code: 'network', message: 'no route', remedy: null, step: 'ask', vendor: { errorId: 500 } })
})
