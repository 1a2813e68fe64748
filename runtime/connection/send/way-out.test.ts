import { createHmac, randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { asId, type Connection, type ConnectionId } from '../../domain/index.ts'
import type { Egress, OutboundRequest, OutboundResult } from '../../egress/index.ts'
import { noTurns } from '../../fairness/index.ts'
import { loadPluginFolder, type SkillRequest } from '../../plugin/index.ts'
import { Answers } from '../answer/call-answers.ts'
import { createVault } from '../vault/vault.ts'
import { openRequest, sendRequest } from './way-out.ts'

const vault = createVault(randomBytes(32))
const plugin = await loadPluginFolder(fileURLToPath(new URL('../../../plugins/mailsec', import.meta.url)))
const browser = await loadPluginFolder(fileURLToPath(new URL('../../../plugins/browser', import.meta.url)))
const mfa = await loadPluginFolder(fileURLToPath(new URL('../../../plugins/mfa', import.meta.url)))
const id = asId<ConnectionId>('c')
const connection = {
  id,
  instance: 'mailsec',
  fields: { base_url: 'https://tenant.example.com:8443' },
  secrets: { api_token: vault.seal(id, 'api_token', 'canary-token') },
} as unknown as Connection
const request: SkillRequest = { method: 'GET', path: '/issues/a%2Fb', query: [['status', 'open']], headers: {}, body: undefined }
const answers = new Answers(noTurns).forCall('acme')
const deadline = { now: 0, timeout: 1_000, sendBy: null, signal: new AbortController().signal }

function egressThatAnswers(result: OutboundResult): { egress: Egress; sent: OutboundRequest[] } {
  const sent: OutboundRequest[] = []
  const call = async (outbound: OutboundRequest): Promise<OutboundResult> => {
    sent.push(outbound)
    return result
  }
  return {
    sent,
    egress: {
      objection: () => null,
      reach: async () => {},
      prepare: async () => {},
      call,
      open: () => Promise.reject(new Error('nothing is streamed here')),
      close: async () => {},
    },
  }
}

function answered(body: string, headers: Record<string, string> = { 'content-type': 'application/json' }): OutboundResult {
  return { effect: 'done', answer: { status: 200, headers, body: new TextEncoder().encode(body) } }
}

test("the credential is sent in its header, and the request to the connection's own origin", async () => {
  const { egress, sent } = egressThatAnswers(answered('{}'))
  await sendRequest({ answers, route: null, egress, vault, plugin, connection, request }, deadline)
  expect(sent[0]?.url.href).toBe('https://tenant.example.com:8443/api/v1/issues/a%2Fb?status=open')
  expect(sent[0]?.headers).toMatchObject({ 'x-vendor-client-secret': 'canary-token', accept: 'application/json' })
  expect(sent[0]?.origins).toEqual(['https://tenant.example.com:8443'])
})

test.each([
  ['/api/v1/issues/page2?at=3', 'https://tenant.example.com:8443/api/v1/issues/page2?at=3'],
  ['?cursor=x', 'https://tenant.example.com:8443/api/v1/issues/a%2Fb?cursor=x'],
  ['https://elsewhere.example/x', 'https://elsewhere.example/x'],
])("the next page's address %s is resolved against the request's, and may go to the connection's own origins only", async (next, href) => {
  const { egress, sent } = egressThatAnswers(answered('{}'))
  await sendRequest({ answers, route: null, egress, vault, plugin, connection, request: { ...request, next } }, deadline)
  expect([sent[0]?.url.href, sent[0]?.origins]).toEqual([href, ['https://tenant.example.com:8443']])
})

test.each([
  ['v1', 'https://api.example.com/v1/accounts'],
  ['api/v1', 'https://api.example.com/api/v1/accounts'],
])('a base path may name a field of the connection: %s', async (path, href) => {
  const { egress, sent } = egressThatAnswers(answered('{}'))
  const fields = { base_url: 'https://api.example.com', api_path: path }
  const secrets = { api_key: vault.seal(id, 'api_key', 'canary-key') }
  await sendRequest(
    {
      answers,
      route: null,
      egress,
      vault,
      plugin: browser,
      connection: { ...connection, fields, secrets },
      request: { ...request, path: '/accounts', query: [] },
    },
    deadline,
  )
  expect([sent[0]?.url.href, sent[0]?.headers['x-api-key']]).toEqual([href, 'canary-key'])
})

const key = Buffer.alloc(32, 'canary').toString('base64')
const signing = {
  ...connection,
  fields: { idp_url: 'https://idp.example.com/pingid', org_alias: 'acme' },
  secrets: { token: vault.seal(id, 'token', 'canary-token'), use_base64_key: vault.seal(id, 'use_base64_key', key) },
}

test('the base path precedes every path, and nothing is sent if it could name another host', async () => {
  const { egress, sent } = egressThatAnswers(answered('{}'))
  await sendRequest(
    { answers, route: null, egress, vault, plugin: mfa, connection: signing, request: { ...request, path: '/heartbeat', query: [], auth: 'none' } },
    deadline,
  )
  expect(sent.map(({ url, origins }) => [url.href, origins])).toEqual([['https://idp.example.com/pingid/heartbeat', ['https://idp.example.com']]])
  const odd = { ...signing, fields: { idp_url: 'https://idp.example.com//elsewhere.example', org_alias: 'acme' } }
  expect(await sendRequest({ answers, route: null, egress, vault, plugin: mfa, connection: odd, request }, deadline)).toMatchObject({
    effect: 'not_sent',
    code: 'connection_invalid',
  })
  expect(sent).toHaveLength(1)
})

test('a request with base `none` has no base path at all', async () => {
  const { egress, sent } = egressThatAnswers(answered('{}'))
  await sendRequest(
    { answers, route: null, egress, vault, plugin, connection, request: { ...request, path: '/versions', query: [], base: 'none' } },
    deadline,
  )
  await sendRequest(
    {
      answers,
      route: null,
      egress,
      vault,
      plugin: mfa,
      connection: signing,
      request: { ...request, path: '/versions', query: [], auth: 'none', base: 'none' },
    },
    deadline,
  )
  expect(sent.map(({ url }) => url.href)).toEqual(['https://tenant.example.com:8443/versions', 'https://idp.example.com/versions'])
})

test('all secrets that were read, to sign or only to open an answer, are removed from it', async () => {
  const bytes = Buffer.from(key, 'base64')
  const body = JSON.stringify({ errorId: 400, errorMsg: `${bytes.toString('hex')} ${bytes.toString('base64url')} ${key} canary-token` })
  for (const sending of [{ body: { userName: 'a' } }, { body: undefined }]) {
    const [head, payload] = ['{"alg":"HS256"}', body].map((text) => Buffer.from(text).toString('base64url'))
    const signature = createHmac('sha256', bytes).update(`${head}.${payload}`).digest('base64url')
    const { egress } = egressThatAnswers(answered(`${head}.${payload}.${signature}`))
    const result = await sendRequest(
      { answers, route: null, egress, vault, plugin: mfa, connection: signing, request: { ...request, method: 'POST', ...sending } },
      deadline,
    )
    expect(result).toMatchObject({ answer: { body: { errorMsg: expect.stringMatching(/^\[secret\] \[secret\]=? \[secret\] /) } } })
    // This token is read only to sign.
    if (sending.body) expect(JSON.stringify(result)).not.toContain('canary')
  }
})

test("an invalid address of the next page is the answer's fault, and nothing is sent", async () => {
  const { egress, sent } = egressThatAnswers(answered('{}'))
  expect(
    await sendRequest({ answers, route: null, egress, vault, plugin, connection, request: { ...request, next: 'https://[' } }, deadline),
  ).toMatchObject({
    effect: 'not_sent',
    code: 'answer_not_understood',
  })
  expect(sent).toEqual([])
})

test('nothing is sent if the base path climbs with `..`', async () => {
  const { egress, sent } = egressThatAnswers(answered('{}'))
  const fields = { base_url: 'https://api.example.com', api_path: 'api/../admin' }
  expect(
    await sendRequest({ answers, route: null, egress, vault, plugin: browser, connection: { ...connection, fields }, request }, deadline),
  ).toMatchObject({
    effect: 'not_sent',
    code: 'connection_invalid',
  })
  expect(sent).toEqual([])
})

test('a credential that the system repeats is removed from the answer', async () => {
  const { egress } = egressThatAnswers(
    answered('{"message":"bad token canary-token"}', { 'content-type': 'application/json', 'x-echo': 'canary-token' }),
  )
  const result = await sendRequest({ answers, route: null, egress, vault, plugin, connection, request }, deadline)
  expect(JSON.stringify(result)).not.toContain('canary')
  expect(result).toMatchObject({ answer: { body: { message: 'bad token [secret]' } } })
})

test('an answer that is not JSON is its text, and large integers are kept exactly', async () => {
  const text = egressThatAnswers(answered('<html>', { 'content-type': 'text/html' }))
  expect(await sendRequest({ answers, route: null, egress: text.egress, vault, plugin, connection, request }, deadline)).toMatchObject({
    answer: { body: '<html>' },
  })
  const large = egressThatAnswers(answered('{"id":12345678901234567890}'))
  expect(await sendRequest({ answers, route: null, egress: large.egress, vault, plugin, connection, request }, deadline)).toMatchObject({
    answer: { body: { id: '12345678901234567890' } },
  })
})

test('nothing is sent if a secret cannot be read', async () => {
  const { egress, sent } = egressThatAnswers(answered('{}'))
  const other = createVault(randomBytes(32))
  expect(await sendRequest({ answers, route: null, egress, vault: other, plugin, connection, request }, deadline)).toMatchObject({
    effect: 'not_sent',
    code: 'secret_unreadable',
  })
  expect(sent).toEqual([])
})

test('a request that could not be sent fails as egress reports it', async () => {
  const { egress } = egressThatAnswers({ effect: 'refused', code: 'egress_refused', message: 'no' })
  expect(await sendRequest({ answers, route: null, egress, vault, plugin, connection, request }, deadline)).toEqual({
    effect: 'refused',
    code: 'egress_refused',
    message: 'no',
  })
})

test.each(['Host', 'authorization', 'Cookie', 'content-length', 'transfer-encoding', 'Accept-Encoding'])(
  'a plugin cannot set the header %s',
  async (name) => {
    const { egress, sent } = egressThatAnswers(answered('{}'))
    const result = await sendRequest(
      { answers, route: null, egress, vault, plugin, connection, request: { ...request, headers: { [name]: 'elsewhere.example' } } },
      deadline,
    )
    expect(result).toMatchObject({ effect: 'not_sent', code: 'skill_input_invalid' })
    expect(sent).toEqual([])
  },
)

test('an answer that is nested too deeply is not read, and says why', async () => {
  const deep = '['.repeat(50_000) + ']'.repeat(50_000)
  const { egress } = egressThatAnswers(answered(deep))
  expect(await sendRequest({ answers, route: null, egress, vault, plugin, connection, request }, deadline)).toMatchObject({
    effect: 'done',
    answer: { body: '', fault: expect.stringContaining('200 objects or lists') },
  })
})

test.each<[string, SkillRequest['headers'], SkillRequest['body'], string | null]>([
  ['a text under its content type goes out as it is', { 'content-type': 'text/plain' }, 'hello', 'hello'],
  ['JSON goes out as JSON', {}, { a: 1 }, '{"a":1}'],
  ['no body is none', {}, undefined, null],
])('%s', async (_what, headers, body, expected) => {
  const { egress, sent } = egressThatAnswers(answered('{}'))
  await sendRequest({ answers, route: null, egress, vault, plugin, connection, request: { ...request, method: 'POST', headers, body } }, deadline)
  expect(sent[0]?.body).toBe(expected)
})

test.each<[string, Partial<SkillRequest>]>([
  ['an object as text', { headers: { 'content-type': 'text/plain' }, body: { a: 1 } }],
  ['JSON that was made JSON already', { body: '{"a":1}' }],
  ['half of a character in the address', { query: [['name', 'a\ud800']] }],
])('%s is refused, and nothing is sent', async (_what, part) => {
  const { egress, sent } = egressThatAnswers(answered('{}'))
  const result = await sendRequest(
    { answers, route: null, egress, vault, plugin, connection, request: { ...request, method: 'POST', ...part } },
    deadline,
  )
  expect(result).toMatchObject({ effect: 'not_sent', code: 'skill_input_invalid' })
  expect(sent).toEqual([])
})

test('a stream that is abandoned while its refusal waits to be read fails as abandoned', async () => {
  const { egress } = egressThatAnswers(answered('{}'))
  const refusal = {
    status: 500,
    headers: {},
    body: (async function* () {
      yield new TextEncoder().encode('{}')
    })(),
    cancel: () => {},
  }
  const given = new AbortController()
  const waiting = new Answers(noTurns).forCall('acme')
  waiting.admit = async () => {
    given.abort()
    throw given.signal.reason
  }
  const result = await openRequest(
    {
      answers: waiting,
      route: null,
      egress: { ...egress, open: async () => ({ effect: 'done', answer: refusal }) },
      vault,
      plugin,
      connection,
      request,
    },
    { ...deadline, signal: given.signal },
    1_000,
  )
  expect(result).toMatchObject({ effect: 'unknown', code: 'network', message: 'The call was abandoned.' })
})
