import { Agent, request } from 'undici'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makePki } from '../pki.ts'
import { startMfaSimulator } from './index.ts'
import { openJws, signJws } from './jws.ts'
import type { MfaSimulator } from './simulator.ts'

const pki = makePki()
const client = { orgAlias: '11111111-2222-3333-4444-555555555555', token: '0123456789abcdef', key: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=' }
const key = Buffer.from(client.key, 'base64')
const agent = new Agent({ connect: { ca: pki.ca } })
let simulator: MfaSimulator

beforeAll(async () => {
  simulator = await startMfaSimulator({ pki, ...client, strict: true, operations: ['getuserdetails', 'suspenduser', 'unpairdevice', 'userbypass'] })
})
beforeEach(() => simulator.reset())
afterAll(async () => {
  await agent.close()
  await simulator.close()
})

const header = { alg: 'HS256', org_alias: client.orgAlias, token: client.token }
const reqHeader = { locale: 'en', orgAlias: client.orgAlias, secretKey: client.token, timestamp: '2025-01-02 03:04:05.678', version: '4.9' }
const ada = { userName: 'ada.lovelace@acme.example' }
const asked = { getSameDeviceUsers: false, ...ada }
const signed = (reqBody: object, head: object = header, whole: object = reqHeader, by = key): string =>
  signJws(head, JSON.stringify({ reqHeader: whole, reqBody }), by)

interface Told {
  readonly status: number
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  readonly told: any
}

async function post(operation: string, body: string, type = 'application/json', to = simulator): Promise<Told> {
  const response = await request(`${to.idpUrl}/rest/4/${operation}/do`, {
    dispatcher: agent,
    method: 'POST',
    headers: { 'content-type': type },
    body,
  })
  const text = await response.body.text()
  const opened = openJws(text, key)
  const payload = opened === null || opened === 'wrong_signature' ? null : opened.payload
  return { status: response.statusCode, text, told: payload?.['responseBody'] ?? payload }
}

test('accepts the known vector as a request', async () => {
  const vector = signed({ getSameDeviceUsers: false, userName: 'user1', clientData: 'corr-1' })
  expect(vector.split('.')[2]).toBe('EK33FR9vAbpkAvrOIm0-ZHXGl1WB04m2dMNZQrdZQCQ')
  expect(await post('getuserdetails', vector)).toMatchObject({ status: 400, told: { errorId: 10564 } })
})

test.each<[string, string, number]>([
  ['another key', signed(asked, header, reqHeader, Buffer.alloc(32)), 401],
  ['another client', signed(asked, { ...header, token: 'x' }), 401],
  ['another client in reqHeader', signed(asked, header, { ...reqHeader, secretKey: 'x' }), 401],
  ['orgAlias in the header', signed(asked, { alg: 'HS256', orgAlias: client.orgAlias, token: client.token }), 400],
  ['an ISO timestamp', signed(asked, header, { ...reqHeader, timestamp: '2025-01-02T03:04:05.678Z' }), 400],
  ['a version that is a number', signed(asked, header, { ...reqHeader, version: 4.9 }), 400],
  ['a JWS in quotes', JSON.stringify(signed(asked)), 400],
  ['plain JSON', JSON.stringify(asked), 400],
  ['an unknown member', signed({ ...asked, username: 'ada' }), 400],
  ['a missing member', signed(ada), 400],
])('refused: %s', async (_, body, status) => {
  expect((await post('getuserdetails', body)).status).toBe(status)
})

test('a device id must be a number; without one, all devices are removed', async () => {
  expect((await post('unpairdevice', signed({ ...ada, deviceId: '64498' }))).status).toBe(400)
  expect(simulator.user(ada.userName)?.devices).toHaveLength(1)
  expect((await post('unpairdevice', signed(ada))).told).toMatchObject({ errorId: 200 })
  expect(simulator.user(ada.userName)?.devices).toEqual([])
})

test('a bypass needs an end, even if it is null', async () => {
  expect((await post('userbypass', signed(ada))).status).toBe(400)
  expect((await post('userbypass', signed({ ...ada, bypassUntil: null }))).status).toBe(200)
})

test('refuses operations that the properties file does not allow, unknown ones, and another content type', async () => {
  expect((await post('activateuser', signed(ada))).status).toBe(403)
  expect((await post('toggleuserbypass', signed(ada))).status).toBe(403)
  expect((await post('getuserdetails', signed(asked), 'text/plain')).status).toBe(415)
})

test('answers are wrapped, bare, plain or wrongly signed', async () => {
  const raw = async (): Promise<Told> => post('getuserdetails', signed(asked))
  expect(openJws((await raw()).text, key)).toMatchObject({ payload: { responseBody: { errorId: 200 } }, header })
  simulator.answerAs('bare')
  expect(openJws((await raw()).text, key)).toMatchObject({ payload: { errorId: 200 } })
  simulator.answerAs('plain')
  expect(JSON.parse((await raw()).text)).toMatchObject({ errorId: 200 })
  simulator.answerAs('wrong_signature')
  expect(openJws((await raw()).text, key)).toBe('wrong_signature')
})

test('refuses to suspend a user twice', async () => {
  expect((await post('suspenduser', signed(ada))).told).toMatchObject({ errorId: 200 })
  expect(await post('suspenduser', signed(ada))).toMatchObject({ status: 400, told: { errorId: 10561 } })
})

test("unless strict, accepts what the vendor's own samples send", async () => {
  const tolerant = await startMfaSimulator({ pki, ...client })
  const sent = (operation: string, body: string): Promise<Told> => post(operation, body, 'application/json', tolerant)
  const { timestamp: _, ...untimed } = reqHeader
  try {
    for (const body of [
      signed(asked, { typ: 'JWT', alg: 'HS256', orgAlias: client.orgAlias, token: client.token }),
      signed(asked, header, { ...reqHeader, timestamp: '2025-01-02T03:04:05.678Z', version: 4.9 }),
      signed({ ...ada, getSameDeviceUsers: 'true', clientData: 'corr-1', more: 1 }, header, untimed),
    ])
      expect(await sent('getuserdetails', body)).toMatchObject({ status: 200, told: { errorId: 200 } })
    expect((await sent('getuserdetails', signed({ ...ada, clientData: 'corr-1' }))).told).toMatchObject({ clientData: 'corr-1' })
    expect((await sent('unpairdevice', signed({ ...ada, deviceId: '1' }))).status).toBe(400)
    expect((await sent('unpairdevice', signed({ ...ada, deviceId: '64498' }))).told).toMatchObject({ errorId: 200 })
    expect(tolerant.user(ada.userName)?.devices).toEqual([])
    expect((await sent('userbypass', signed(ada))).status).toBe(400)
    expect((await sent('getuserdetails', signed(asked, header, reqHeader, Buffer.alloc(32)))).status).toBe(401)
  } finally {
    await tolerant.close()
  }
})
