import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { makePki } from '../../test/simulators/pki.ts'
import { listAll, request, type Target } from './client.ts'

let close = async (): Promise<void> => {}
afterEach(() => close())

/** Starts a server that is not Tocsin. */
async function answering(listener: RequestListener): Promise<Target> {
  return { url: `http://127.0.0.1:${await listening(createServer(listener))}`, key: 'k' }
}

async function listening(server: Pick<Server, 'listen' | 'address' | 'close' | 'closeAllConnections'>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return (server.address() as AddressInfo).port
}

const notTocsin = (said: string) =>
  expect.objectContaining({ code: 'server_unreachable', message: expect.stringContaining(said), remedy: expect.stringContaining('--url') })

test('a page that a proxy answers with status 200 is no success', async () => {
  const target = await answering((_request, response) => response.end('<html>Sign in</html>'))
  await expect(request(target, 'POST', '/platformapi/pauses', {})).rejects.toThrow(notTocsin('no JSON'))
})

test('an empty answer with status 200 is no success', async () => {
  const target = await answering((_request, response) => response.end())
  await expect(request(target, 'DELETE', '/platformapi/webhooks/1')).rejects.toThrow(notTocsin('no JSON'))
})

test('a redirect is not followed: it would make a GET of a POST', async () => {
  const asked: string[] = []
  const target = await answering(({ method, url }, response) => {
    asked.push(`${method} ${url}`)
    response.writeHead(url === '/there' ? 200 : 302, { location: '/there' }).end('{"items":[]}')
  })
  await expect(request(target, 'POST', '/platformapi/alerts', {})).rejects.toThrow(notTocsin('redirect to /there'))
  expect(asked).toEqual(['POST /platformapi/alerts'])
})

test('JSON that is no list is no empty list', async () => {
  const target = await answering((_request, response) => response.end('{}'))
  await expect(listAll(target, '/platformapi/alerts').next()).rejects.toThrow(notTocsin('no list'))
})

test('an answer without content, and an error that is no JSON, stay what they are', async () => {
  const target = await answering(({ method }, response) =>
    response.writeHead(method === 'DELETE' ? 204 : 502).end(method === 'DELETE' ? '' : 'Bad gateway'),
  )
  expect(await request(target, 'DELETE', '/platformapi/webhooks/1')).toEqual({})
  await expect(request(target, 'GET', '/platformapi/alerts')).rejects.toMatchObject({ status: 502, problem: { detail: 'Bad gateway' } })
})

test('null is an answer: the value of a step may be null', async () => {
  const target = await answering((_request, response) => response.end('null'))
  expect(await request(target, 'GET', '/platformapi/runs/r/step/value')).toBe(null)
})

test('if the answer to a change is lost, the error says that the change may have been made', async () => {
  const target = await answering(({ socket }) => socket.destroy())
  const mayHave = { message: expect.stringContaining('may have done'), remedy: expect.stringContaining('--idempotency-key') }
  await expect(request(target, 'POST', '/platformapi/alerts', {})).rejects.toMatchObject(mayHave)
  await expect(request(target, 'GET', '/platformapi/alerts')).rejects.not.toMatchObject(mayHave)
  await close()
  await expect(request(target, 'POST', '/platformapi/alerts', {})).rejects.not.toMatchObject(mayHave)
  close = async () => {}
})

test('an answer that is cut in the middle is lost, too', async () => {
  const target = await answering((_request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{"ok":', () => response.destroy())
  })
  await expect(request(target, 'POST', '/platformapi/alerts', {})).rejects.toThrow(/may have done/)
})

test('behind a certificate of a private authority, the error says what to set; with it, requests work', async () => {
  const { ca, cert, key } = makePki()
  const port = await listening(createTlsServer({ cert, key }, (_request, response) => response.end('{"ok":true}')))
  const target = { url: `https://localhost:${port}`, key: 'k' }
  await expect(request(target, 'GET', '/')).rejects.toMatchObject({
    code: 'server_unreachable',
    message: expect.stringMatching(/No trusted CA has signed the certificate.*\(\w+\)$/),
    remedy: expect.stringContaining('TOCSIN_CA_FILE'),
  })
  expect(await request({ ...target, ca: [ca] }, 'GET', '/')).toEqual({ ok: true })
})

test('https to a server that speaks http: the error says so', async () => {
  const { url } = await answering((_request, response) => response.end('{}'))
  await expect(request({ url: url.replace('http:', 'https:'), key: 'k' }, 'GET', '/')).rejects.toMatchObject({
    message: expect.stringMatching(/^https:\S+: TLS failed[^\n]*$/),
    remedy: expect.stringContaining('--url with http://'),
  })
})
