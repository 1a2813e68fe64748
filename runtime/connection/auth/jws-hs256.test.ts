import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { OutboundAnswer } from '../../egress/index.ts'
import { noTurns } from '../../fairness/index.ts'
import type { AuthDocument } from '../../plugin/index.ts'
import { jwsHs256Scheme } from './jws-hs256.ts'

type JwsDocument = Extract<AuthDocument, { scheme: 'jws_hs256' }>

const key = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
const credentials: Readonly<Record<string, string>> = {
  org_alias: '11111111-2222-3333-4444-555555555555',
  token: '0123456789abcdef',
  use_base64_key: key,
}
const secret = (name: string): string => credentials[name] ?? ''
const document: JwsDocument = {
  scheme: 'jws_hs256',
  key: { credential: 'use_base64_key' },
  header: { org_alias: { credential: 'org_alias' }, token: { credential: 'token' } },
  envelope: {
    with: {
      reqHeader: {
        locale: 'en',
        orgAlias: { credential: 'org_alias' },
        secretKey: { credential: 'token' },
        timestamp: { now: 'yyyy-MM-dd HH:mm:ss.SSS' },
        version: '4.9',
      },
    },
    body: 'reqBody',
  },
  open: 'responseBody',
  same: ['org_alias'],
  unsigned: 'accept',
}
const scheme = jwsHs256Scheme(document)
const now = Date.UTC(2025, 0, 2, 3, 4, 5, 678)
const url = new URL('https://idp.example/pingid/rest/4/getuserdetails/do')
const request = { method: 'POST', url, headers: { 'content-type': 'application/json' } }

const segment = (text: string): string => Buffer.from(text).toString('base64url')
const header = `{"alg":"HS256","org_alias":"${credentials['org_alias']}","token":"${credentials['token']}"}`

function jws(payload: string, head = header, algorithm = 'sha256', bytes = Buffer.from(key, 'base64')): string {
  const signed = `${segment(head)}.${segment(payload)}`
  return `${signed}.${createHmac(algorithm, bytes).update(signed).digest('base64url')}`
}

function answer(body: string, status = 200): OutboundAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(body) }
}

const reading = { turns: noTurns, tenant: 'acme' }

async function opened(body: string, status = 200): Promise<unknown> {
  return JSON.parse(Buffer.from((await scheme.open(answer(body, status), secret, reading)).body).toString())
}

test('a request is signed like the known test vector', () => {
  const body = '{"getSameDeviceUsers":false,"userName":"user1","clientData":"corr-1"}'
  const signed = scheme.sign({ ...request, body }, secret, now, null)
  const [head = '', payload = '', signature] = String(signed.body).split('.')
  expect(Buffer.from(head, 'base64url').toString()).toBe(header)
  expect(Buffer.from(payload, 'base64url').toString()).toBe(
    `{"reqHeader":{"locale":"en","orgAlias":"${credentials['org_alias']}","secretKey":"${credentials['token']}","timestamp":"2025-01-02 03:04:05.678","version":"4.9"},"reqBody":${body}}`,
  )
  expect(signature).toBe('EK33FR9vAbpkAvrOIm0-ZHXGl1WB04m2dMNZQrdZQCQ')
  expect(signed.headers).toEqual({ 'content-type': 'application/json' })
})

test('an answer with the signature of the known test vector is opened', async () => {
  const payload = '{"responseBody":{"errorId":10564,"errorMsg":"User does not exist","uniqueMsgId":"webs_test","clientData":"corr-1"}}'
  const text = `${segment(header)}.${segment(payload)}.eT8OBI61dLDr8BZYXszsyscBZXyQ6wUW4dbyUw1ckDA`
  expect(await opened(text, 400)).toEqual({ errorId: 10564, errorMsg: 'User does not exist', uniqueMsgId: 'webs_test', clientData: 'corr-1' })
})

test('integers in the body and the answer keep all their digits', async () => {
  const signed = scheme.sign({ ...request, body: '{"deviceId":12345678901234567890}' }, secret, now, null)
  expect(Buffer.from(String(signed.body).split('.')[1] ?? '', 'base64url').toString()).toContain('"reqBody":{"deviceId":12345678901234567890}}')
  expect(await opened(jws('{"deviceId":12345678901234567890}'))).toEqual({ deviceId: '12345678901234567890' })
})

test.each([
  ['wrapped', jws('{"responseBody":{"errorId":200}}')],
  ['bare', jws('{"errorId":200}')],
  ['in quotes', `"${jws('{"errorId":200}')}"`],
  ['with a line end', `${jws('{"errorId":200}')}\n`],
  ['plain JSON', '{"errorId":200}'],
  ['plain JSON, wrapped', '{"responseBody":{"errorId":200}}'],
])('an answer is read: %s', async (_, text) => {
  expect(await opened(text)).toEqual({ errorId: 200 })
})

const right = jws('{"errorId":200}')
test.each([
  ['another key', jws('{"errorId":200}', header, 'sha256', Buffer.alloc(32, 9))],
  ['the key as text, not its bytes', jws('{"errorId":200}', header, 'sha256', Buffer.from(key))],
  ['a changed payload', right.replace(segment('{"errorId":200}'), segment('{"errorId":201}'))],
  ['a changed signature', right.slice(0, -2) + (right.endsWith('AA') ? 'BB' : 'AA')],
  ['no signature', `${right.split('.').slice(0, 2).join('.')}.`],
  ['the algorithm none', `${segment('{"alg":"none"}')}.${segment('{"errorId":200}')}.`],
  ['a header that names another algorithm', jws('{"errorId":200}', '{"alg":"HS512"}')],
  ['another algorithm', jws('{"errorId":200}', '{"alg":"HS512"}', 'sha512')],
])('an answer is refused: %s', async (_, text) => {
  await expect(scheme.open(answer(text), secret, reading)).rejects.toMatchObject({ code: 'answer_signature_invalid' })
})

test.each<[string, string, boolean]>([
  ['a signed one', right, false],
  ['plain JSON', '{"errorId":200}', true],
  ['plain JSON, wrapped', '{"responseBody":{"errorId":200}}', true],
  ['a list', '[1]', true],
  ['a page', '<html></html>', true],
  ['half of a JWS', right.split('.').slice(0, 2).join('.'), true],
])('whether an answer is signed is known: %s', async (_, text, unsigned) => {
  expect((await scheme.open(answer(text), secret, reading)).unvouched === 'unsigned').toBe(unsigned)
})

test.each<[string, 'for_another' | undefined]>([
  [header, undefined],
  ['{"alg":"HS256"}', undefined],
  ['{"alg":"HS256","org_alias":"99999999-2222-3333-4444-555555555555"}', 'for_another'],
  ['{"alg":"HS256","org_alias":null}', 'for_another'],
  ['{"alg":"HS256","org_alias":["11111111-2222-3333-4444-555555555555"]}', 'for_another'],
])('whether an answer that is signed with our key is for us: %s', async (head, unvouched) => {
  const read = await scheme.open(answer(jws('{"errorId":200}', head)), secret, reading)
  expect(read.unvouched).toBe(unvouched)
  expect(JSON.parse(Buffer.from(read.body).toString())).toEqual({ errorId: 200 })
})

test('plain JSON is refused unless the manifest accepts it', async () => {
  const { unsigned: _, ...strict } = document
  await expect(jwsHs256Scheme(strict).open(answer('{"errorId":200}'), secret, reading)).rejects.toMatchObject({ code: 'answer_signature_invalid' })
})

test("a gateway's error page and an empty answer are passed on unchanged", async () => {
  for (const text of ['<html></html>', ''])
    expect(await scheme.open(answer(text, 502), secret, reading)).toEqual({ ...answer(text, 502), unvouched: 'unsigned' })
})

test('a request without a body is sent unsigned', () => {
  const heartbeat = { ...request, method: 'GET', body: null }
  expect(scheme.sign(heartbeat, secret, now, null)).toBe(heartbeat)
})

test('a repeated field in a signed payload is reported, because the answer is rewritten', async () => {
  const read = await scheme.open(answer(jws('{"responseBody":{"status":"ACTIVE","status":"SUSPENDED"}}')), secret, reading)
  expect([Buffer.from(read.body).toString(), read.repeated]).toEqual(['{"status":"SUSPENDED"}', ['responseBody', 'status']])
})
