import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { bodiesAtOnce, smallBody } from '../../../runtime/api/limits.ts'
import { clientOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'
import { type RawAnswer, sendRaw } from '../../support/api/raw-http.ts'

let api: ApiServer
let port: number
let acme: string
let globex: string
const slowOnes: Socket[] = []

beforeAll(async () => {
  api = await startApi({ bodyLimit: 1_048_576 })
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  port = (api.app.server.address() as AddressInfo).port
  const admin = clientOf(api.app, api.admin)
  await admin('POST', '/platformapi/providers', { code: 'edr', name: 'EDR' })
  const keyOf = async (code: string) =>
    api.addKey(['alerts:write'], [(await admin('POST', '/platformapi/organizations', { code, name: code })).body.uuid])
  acme = await keyOf('ACME')
  globex = await keyOf('GLOBEX')
})
afterEach(() => {
  for (const one of slowOnes.splice(0)) one.destroy()
})
afterAll(() => api.close())

const bodyOf = (organization_code: string, characters: number): string =>
  JSON.stringify({ alert_content: 'x'.repeat(characters), alert_provider: 'edr', organization_code })
const large = smallBody + 1

function head(key: string, ...lines: string[]): string {
  const all = ['POST /platformapi/alerts HTTP/1.1', 'Host: x', `Authorization: Bearer ${key}`, 'Content-Type: application/json', 'Connection: close']
  return `${[...all, ...lines].join('\r\n')}\r\n\r\n`
}

/** Begins a request and never sends its body. Returns once the server has begun it. */
async function slow(key: string, length: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  slowOnes.push(socket)
  socket.write(head(key, length, 'Expect: 100-continue'))
  await once(socket, 'data')
}

function send(key: string, body: string): Promise<RawAnswer> {
  return sendRaw(port, [head(key, `Content-Length: ${body.length}`) + body])
}

test.each(['Content-Length: 1000000', 'Transfer-Encoding: chunked'])(
  'who sends many large bodies slowly (%s) makes only its own large bodies wait, until one of them ends',
  async (length) => {
    await Promise.all(Array.from({ length: bodiesAtOnce }, () => slow(acme, length)))
    let answered = false
    const next = send(acme, bodyOf('ACME', large)).finally(() => {
      answered = true
    })
    expect((await send(acme, bodyOf('ACME', 10))).status).toBe(200)
    expect((await send(globex, bodyOf('GLOBEX', large))).status).toBe(200)
    expect(answered).toBe(false)
    slowOnes.pop()?.destroy()
    expect((await next).status).toBe(200)
  },
)

test('many large bodies at once are all read, and so are those that are refused', async () => {
  const many = Array.from({ length: 3 * bodiesAtOnce }, (_, index) => (index % 3 === 0 ? '{'.repeat(large) : bodyOf('ACME', large)))
  const answers = await Promise.all(many.map((body) => send(acme, body)))
  expect(answers.map(({ status }) => status)).toEqual(many.map((_, index) => (index % 3 === 0 ? 400 : 200)))
})
