import type { ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Dispatcher } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePki } from '../../../test/simulators/pki.ts'
import { ManualClock } from '../../../test/support/clocks/manual-clock.ts'
import { createEgress, type Egress, type OutboundRequest, type OutboundStream } from '../index.ts'
import { StreamExchange } from './stream.ts'

const pki = makePki()
const clock = new ManualClock()
const part = Buffer.alloc(64 * 1024, 'x')
let server: Server
let origin: string
let egress: Egress
/** How many bytes the system could write, because they were read. */
let taken = 0
let closed: Promise<void>
let asked: (string | undefined)[] = []

/** Writes parts as fast as they are read. */
function pour(response: ServerResponse, parts: number): void {
  if (parts === 0) return void response.end()
  response.write(part, () => {
    taken += part.length
    pour(response, parts - 1)
  })
}

beforeAll(async () => {
  server = createServer({ key: pki.key, cert: pki.cert }, (request, response) => {
    taken = 0
    asked.push(request.url)
    closed = new Promise((resolve) => response.on('close', resolve))
    if (request.url === '/slow') return
    if (request.url === '/hints') response.writeEarlyHints({ link: '</style.css>; rel=preload' })
    if (request.url === '/refused') return response.writeHead(409).end('no')
    response.writeHead(200, { 'Content-Type': 'text/csv' })
    if (request.url === '/large') return pour(response, 500)
    response.write('one,')
    if (request.url === '/half') return setImmediate(() => request.socket.destroy())
    if (request.url === '/stalls') return
    response.end('two')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  egress = createEgress({ ca: [pki.ca], allow: ['127.0.0.1'] }, clock)
})

afterAll(async () => {
  await egress.close()
  server.closeAllConnections()
  server.close()
})

function open(path: string, over: Partial<OutboundRequest> = {}, signal = new AbortController().signal): Promise<OutboundStream> {
  const request = { method: 'GET', url: new URL(path, origin), headers: {}, body: null, origins: [origin], route: null, sendBy: null }
  return egress.open({ ...request, timeout: 1_000, maxAnswer: 1_000_000_000, ...over }, signal)
}

async function bodyOf(opened: Promise<OutboundStream>): Promise<AsyncIterator<Uint8Array>> {
  const result = await opened
  if (result.effect !== 'done') throw new Error(result.message)
  return result.answer.body[Symbol.asyncIterator]()
}

test('the beginning of an answer arrives before its end, and the rest arrives as it is read', async () => {
  const result = await open('/ok')
  expect(result).toMatchObject({ effect: 'done', answer: { status: 200, headers: { 'content-type': 'text/csv' } } })
  let text = ''
  if (result.effect === 'done') for await (const chunk of result.answer.body) text += new TextDecoder().decode(chunk)
  expect(text).toBe('one,two')
})

test('an informational answer before the answer is passed over', async () => {
  const result = await open('/hints')
  expect(result).toMatchObject({ effect: 'done', answer: { status: 200, headers: { 'content-type': 'text/csv' } } })
  let text = ''
  if (result.effect === 'done') for await (const chunk of result.answer.body) text += new TextDecoder().decode(chunk)
  expect(text).toBe('one,two')
})

test('the sender of an answer that is not read has to wait', async () => {
  const body = await bodyOf(open('/large'))
  const first = await body.next()
  expect(first.done).toBe(false)
  // Only as much is sent as the sockets can buffer, not the whole 32 MB.
  let before = -1
  await expect
    .poll(() => {
      const still = before === taken && taken > 0
      before = taken
      return still
    })
    .toBe(true)
  expect(taken).toBeLessThan(16 * 1024 * 1024)
  let size = first.value?.length ?? 0
  for (let next = await body.next(); !next.done; next = await body.next()) size += next.value.length
  expect(size).toBe(500 * part.length)
})

test('a reader that stops ends the answer', async () => {
  const body = await bodyOf(open('/large'))
  await body.next()
  await body.return?.()
  await closed
  expect(taken).toBeLessThan(500 * part.length)
})

test('a part that came alone is handed on as it is, and several together', async () => {
  const controller = { pause() {}, resume() {}, abort() {} } as unknown as Dispatcher.DispatchController
  const request = { method: 'GET', url: new URL(origin), headers: {}, body: null, origins: [origin], route: null, sendBy: null }
  let come = (_bytes: Buffer): void => {}
  const opened = new Promise<OutboundStream>((resolve) => {
    const exchange = new StreamExchange({ ...request, timeout: 1_000, maxAnswer: 100 }, clock, resolve, () => {})
    exchange.onRequestStart(controller)
    exchange.onResponseStart(controller, 200, {})
    come = (bytes) => exchange.onResponseData(controller, bytes)
  })
  const body = await bodyOf(opened)
  const [one, two, three] = ['one', 'two', 'three'].map((each) => Buffer.from(each)) as [Buffer, Buffer, Buffer]
  come(one)
  expect((await body.next()).value).toBe(one)
  come(two)
  come(three)
  expect((await body.next()).value).toEqual(Buffer.from('twothree'))
  await body.return?.()
})

test('a connection that is lost on the way fails the reader', async () => {
  const body = await bodyOf(open('/half'))
  const read = async (): Promise<void> => {
    while (!(await body.next()).done);
  }
  await expect(read()).rejects.toMatchObject({ code: 'network' })
})

test('each wait has the time-out: for the beginning, and for the next part', async () => {
  asked = []
  const never = open('/slow')
  await expect.poll(() => asked).toEqual(['/slow'])
  clock.advance(1_000)
  expect(await never).toMatchObject({ effect: expect.stringMatching(/unknown|not_sent/), code: 'call_timeout' })

  const body = await bodyOf(open('/stalls'))
  await body.next()
  const next = body.next()
  clock.advance(1_000)
  await expect(next).rejects.toMatchObject({ code: 'call_timeout' })
})

test('an answer larger than allowed is not read to its end', async () => {
  const body = await bodyOf(open('/large', { maxAnswer: 1_000_000 }))
  const read = async (): Promise<void> => {
    while (!(await body.next()).done);
  }
  await expect(read()).rejects.toMatchObject({ code: 'answer_too_large' })
})

test('abandoning it ends it, before and after its beginning', async () => {
  expect(await open('/ok', {}, AbortSignal.abort())).toMatchObject({ effect: 'not_sent', code: 'network' })
  const abort = new AbortController()
  const body = await bodyOf(open('/stalls', {}, abort.signal))
  await body.next()
  abort.abort()
  await expect(body.next()).rejects.toMatchObject({ code: 'network' })
})

test('the policy of all calls applies', async () => {
  expect(await open('/ok', { url: new URL('https://elsewhere.example/') })).toMatchObject({ effect: 'refused', code: 'egress_refused' })
  const careful = createEgress({ ca: [pki.ca], allow: [] }, clock)
  const request = {
    method: 'GET',
    url: new URL(origin),
    headers: {},
    body: null,
    origins: [origin],
    route: null,
    sendBy: null,
    timeout: 1_000,
    maxAnswer: 1,
  }
  expect(await careful.open(request, new AbortController().signal)).toMatchObject({ effect: 'refused', code: 'egress_refused' })
  await careful.close()
})
