import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { headersTimeout, mostPipelined, requestTimeout } from '../../../runtime/api/limits.ts'
import { maxWait } from '../../../runtime/api/request/prefer.ts'
import { clientOf, expectProblem } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'
import { type RawAnswer, sendRaw } from '../../support/api/raw-http.ts'

let api: ApiServer
let port: number

beforeAll(async () => {
  api = await startApi()
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  port = (api.app.server.address() as AddressInfo).port
  const admin = clientOf(api.app, api.admin)
  await admin('POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
  await admin('POST', '/platformapi/providers', { code: 'edr', name: 'EDR' })
})
afterAll(() => api.close())

function expectCode(answer: RawAnswer, code: string): void {
  const body = JSON.parse(answer.text) as { code: string }
  expectProblem({ status: answer.status, headers: answer.headers, body })
  expect(body.code).toBe(code)
}

const head = (...lines: string[]) =>
  `${['POST /platformapi/alerts HTTP/1.1', 'Host: x', `Cookie: Session=${api.admin}`, ...lines].join('\r\n')}\r\n\r\n`
const json = 'Content-Type: application/json'
const close = 'Connection: close'
const body = JSON.stringify({ alert_content: 'x', alert_provider: 'edr', organization_code: 'ACME' })

test('a complete request is accepted, so the refusals below have the reason that they state', async () => {
  const answer = await sendRaw(port, [head(json, close, `Content-Length: ${body.length}`) + body])
  expect(answer.status).toBe(200)
})

test.each([
  ['ten thousand headers', () => `GET /healthz HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(10_000)}\r\n`, 'headers_too_large'],
  ['one header of a megabyte', () => `GET /healthz HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(1_000_000)}\r\n\r\n`, 'headers_too_large'],
  ['a path of a megabyte', () => `GET /${'x'.repeat(1_000_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 'headers_too_large'],
  ['no HTTP at all', () => `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03`, 'request_malformed'],
  ['an unknown method', () => 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n', 'request_malformed'],
  ['HTTP/9', () => 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', 'request_malformed'],
  ['a header without a colon', () => 'GET / HTTP/1.1\r\nHost x\r\n\r\n', 'request_malformed'],
  ['a header with a NUL', () => 'GET / HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n', 'request_malformed'],
  ['two Content-Length headers', () => head(json, 'Content-Length: 3', 'Content-Length: 5'), 'request_malformed'],
  ['a Content-Length and chunks', () => `${head(json, 'Content-Length: 3', 'Transfer-Encoding: chunked')}0\r\n\r\n`, 'request_malformed'],
  ['a Content-Length that is not a number', () => head(json, 'Content-Length: ten'), 'request_malformed'],
  ['a malformed chunk', () => `${head(json, close, 'Transfer-Encoding: chunked')}zz\r\n`, 'request_malformed'],
  ['no Host', () => 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 'request_malformed'],
  ['an Expect header', () => head(json, close, 'Expect: a-miracle', 'Content-Length: 2'), 'expectation_unsupported'],
  ['a CONNECT tunnel', () => 'CONNECT elsewhere:443 HTTP/1.1\r\nHost: x\r\n\r\n', 'route_unknown'],
  [
    'a method that the path does not support',
    () => 'PUT /platformapi/alerts HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
    'route_unknown',
  ],
  ['TRACE', () => 'TRACE /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 'route_unknown'],
  ['another media type', () => `${head(close, 'Content-Type: text/plain', 'Content-Length: 2')}{}`, 'media_type_unsupported'],
  ['no media type', () => `${head(close, 'Content-Length: 2')}{}`, 'media_type_unsupported'],
  ['a body that is not JSON', () => `${head(json, close, 'Content-Length: 2')}{]`, 'body_not_json'],
  ['HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'request_malformed'],
  ['a broken path', () => 'GET /platformapi/alerts/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 'path_invalid'],
  [
    'a path with an incomplete UTF-8 character',
    () => 'GET /platformapi/alerts/%e2%82 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'path_invalid',
  ],
  ['a path above the root', () => 'GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 'route_unknown'],
  ['an absolute URL', () => 'GET http://elsewhere/nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 'route_unknown'],
  ['a body that is not UTF-8', () => `${head(json, close, 'Content-Length: 4')}\xff\xfe{\0`, 'body_not_utf8'],
  ['a compressed transfer', () => `${head(json, close, 'Transfer-Encoding: gzip, chunked')}2\r\n\x1f\x8b\r\n0\r\n\r\n`, 'body_not_utf8'],
])('%s is refused with a problem document', async (_name, request, code) => {
  const answer = await sendRaw(port, [Buffer.from(request(), 'latin1')])
  expectCode(answer, code)
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
})

test('no answer may be cached, or sniffed for another media type', async () => {
  for (const url of [
    '/healthz',
    '/platformapi/alerts',
    '/platformapi/openapi.json',
    '/nowhere',
    '/console/me',
    '/console/files/nothing.js',
    '/platformapi/alerts/%zz',
  ]) {
    const { headers } = await api.app.inject({ method: 'GET', url })
    expect(headers, url).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  }
})

test('the sender of a body that is far too large gets the reason, with a Content-Length and in chunks', async () => {
  const large = Buffer.alloc(8_000_000, 0x20)
  expectCode(await sendRaw(port, [head(json, close, `Content-Length: ${large.length}`), large]), 'body_too_large')
  expectCode(
    await sendRaw(port, [head(json, close, 'Transfer-Encoding: chunked'), `${large.length.toString(16)}\r\n`, large, '\r\n0\r\n\r\n']),
    'body_too_large',
  )
})

test('the key is checked before the body is read', async () => {
  // The body never arrives. An answer shows that nobody waited for it.
  const request = `POST /platformapi/alerts HTTP/1.1\r\nHost: x\r\n${json}\r\n${close}\r\nContent-Length: 1000\r\n\r\n`
  expectCode(await sendRaw(port, [request]), 'key_missing')
  expectCode(await sendRaw(port, [request.replace('Host: x', 'Host: x\r\nAuthorization: Bearer tsk_wrong')]), 'key_rejected')
})

test('a request whose body ends early is refused, and the server goes on', async () => {
  expectCode(await sendRaw(port, [head(json, 'Content-Length: 1000') + body], { end: true }), 'request_malformed')
  const answer = await sendRaw(port, [`GET /healthz HTTP/1.1\r\nHost: x\r\n${close}\r\n\r\n`])
  expect(answer.status).toBe(200)
})

test('what is no HTTP after a complete request is not refused in its place: that would say that nothing was stored', async () => {
  const count = async () => (await clientOf(api.app, api.admin)('GET', '/platformapi/alerts')).body.items.length
  const before = await count()
  await expect(sendRaw(port, [`${head(json, `Content-Length: ${body.length}`)}${body}no HTTP\r\n\r\n`])).rejects.toThrow()
  await expect.poll(count).toBe(before + 1)
})

test('a client that disconnects in the middle of a body causes no warning or error in the log', async () => {
  const connected = once(api.app.server, 'connection')
  const client = connect(port, '127.0.0.1')
  client.write(head(json, 'Content-Length: 1000') + body)
  const [served] = (await connected) as [Socket]
  const gone = new Promise((resolve) => served.once('close', resolve))
  await once(api.app.server, 'request')
  client.resetAndDestroy()
  await gone
  expect(api.log.filter((line) => !line.includes('"level":"info"'))).toEqual([])
})

test('many requests that come at once on a connection are answered in order; if far too many wait, it is closed', async () => {
  const get = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
  const last = `GET /platformapi/version HTTP/1.1\r\nHost: x\r\n${close}\r\n\r\n`
  const { text } = await sendRaw(port, [get.repeat(mostPipelined - 1) + last])
  expect(text.split('HTTP/1.1 200 OK')).toHaveLength(mostPipelined)
  expect(text.lastIndexOf('"version"')).toBeGreaterThan(text.lastIndexOf('HTTP/1.1 200 OK'))
  const answers = await sendRaw(port, [get.repeat(10 * mostPipelined) + last]).then(
    (answer) => answer.text,
    () => '',
  )
  expect(answers).not.toContain('"version"')
})

test('HEAD gets the same answer as GET, without a body', async () => {
  const answer = await sendRaw(port, [`HEAD /platformapi/alerts HTTP/1.1\r\nHost: x\r\nCookie: Session=${api.admin}\r\n${close}\r\n\r\n`])
  expect(answer).toMatchObject({ status: 200, text: '' })
  expect((await sendRaw(port, [`HEAD /platformapi/alerts HTTP/1.1\r\nHost: x\r\n${close}\r\n\r\n`])).status).toBe(401)
})

test('all headers within the limit are read, even the cookie at the end', async () => {
  const many = Array.from({ length: 900 }, () => 'a:b').join('\r\n')
  const answer = await sendRaw(port, [`GET /platformapi/alerts HTTP/1.1\r\nHost: x\r\n${many}\r\nCookie: Session=${api.admin}\r\n${close}\r\n\r\n`])
  expect(answer.status).toBe(200)
})

test('a request that arrives too slowly is answered with request_timeout', async () => {
  const { server } = api.app
  expect(server.headersTimeout).toBe(headersTimeout)
  expect(server.requestTimeout).toBe(requestTimeout)
  expect(server.timeout).toBeGreaterThan(maxWait * 1000)
  server.once('connection', (socket) => {
    // Node does this when either timeout expires.
    socket.once('data', () => server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket))
  })
  expectCode(await sendRaw(port, ['GET /healthz HTTP/1.1\r\nHost: ']), 'request_timeout')
})

test('a refused client that keeps its connection open is disconnected after two seconds', async () => {
  const connected = once(api.app.server, 'connection')
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  client.write('no HTTP\r\n\r\n')
  client.resume()
  const [served] = (await connected) as [Socket]
  await once(client, 'end')
  client.write('and on, and on')
  expect(served.destroyed).toBe(false)
  api.clock.advance(2_000)
  expect(served.destroyed).toBe(true)
  client.destroy()
})

test('no request above caused a warning or an error in the log', () => {
  expect(api.log.filter((line) => !line.includes('"level":"info"'))).toEqual([])
})
