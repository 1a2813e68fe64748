import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { dialer, reasonOf, signInInTime } from '../../../runtime/relay/agent/index.ts'
import { makePki } from '../../simulators/pki.ts'
import { ManualClock } from '../../support/clocks/manual-clock.ts'

/* How an agent connects to the platform, and what it says if it cannot. */

/** A platform with a certificate that no usual CA has signed. */
async function platform(manner: 'greets' | 'silent' = 'greets'): Promise<{ readonly url: URL; readonly ca: string }> {
  const pki = makePki()
  const server: Server = createServer({ key: pki.key, cert: pki.cert })
  const sockets = new WebSocketServer({ server, handleProtocols: ([first]) => first ?? false })
  if (manner === 'greets') sockets.on('connection', (socket) => socket.send('hello'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    sockets.close()
    server.closeAllConnections()
    server.close()
  })
  return { url: new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`), ca: pki.ca }
}

const greeting = (dial: ReturnType<typeof dialer>): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = dial()
    socket.on('error', reject)
    socket.on('message', (data) => {
      resolve(String(data))
      socket.terminate()
    })
  })

test('a platform that takes the connection and then stays silent is given up in time, and when the agent stops', async () => {
  const { url, ca } = await platform('silent')
  const { privateKey } = generateKeyPairSync('ed25519')
  const dial = dialer({ url, ca: [ca], proxy: {} })
  const begin = (): {
    readonly clock: ManualClock
    readonly stopping: AbortController
    readonly socket: WebSocket
    readonly outcome: Promise<unknown>
  } => {
    const [clock, stopping, socket] = [new ManualClock(), new AbortController(), dial()]
    const outcome = signInInTime(socket, { privateKey, token: null, version: '1' }, clock, stopping.signal).catch((error: Error) => error.message)
    return { clock, stopping, socket, outcome }
  }
  const late = begin()
  await once(late.socket, 'open')
  late.clock.advance(20_000)
  expect(await late.outcome).toMatch(/did not answer in time/)
  // Before the connection is open, too.
  const stopped = begin()
  stopped.stopping.abort()
  expect(await stopped.outcome).toMatch(/the agent stops/)
  for (const { socket } of [late, stopped]) expect([WebSocket.CLOSING, WebSocket.CLOSED]).toContain(socket.readyState)
})

test('the certificate of the platform is checked, and an extra CA can be trusted', async () => {
  const { url, ca } = await platform()
  await expect(greeting(dialer({ url, ca: [], proxy: {} }))).rejects.toThrow(/certificate|issuer/)
  expect(await greeting(dialer({ url, ca: [ca], proxy: {} }))).toBe('hello')
})

test('the agent goes through HTTPS_PROXY, unless NO_PROXY names the platform', async () => {
  const { url, ca } = await platform()
  const asked: string[] = []
  const proxy = createTcpServer((socket) => {
    socket.once('data', (data) => {
      asked.push(data.toString().split('\r\n')[0] ?? '')
      const onward = connect(Number(url.port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        socket.pipe(onward).pipe(socket)
      })
      for (const each of [socket, onward]) each.on('error', () => {})
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  const HTTPS_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  expect(await greeting(dialer({ url, ca: [ca], proxy: { HTTPS_PROXY } }))).toBe('hello')
  expect(asked).toEqual([`CONNECT 127.0.0.1:${url.port} HTTP/1.1`])
  expect(await greeting(dialer({ url, ca: [ca], proxy: { HTTPS_PROXY, NO_PROXY: '127.0.0.1' } }))).toBe('hello')
  expect(asked).toHaveLength(1)
})

test.each([
  ['302 Found', ['location: https://login.example/start?ticket=secret'], 'It was redirected to login.example (302 Found), which'],
  ['307 Temporary Redirect', ['location: /elsewhere'], 'It was redirected elsewhere (307 Temporary Redirect), which'],
  ['502 Bad Gateway', [], 'The answer was 502 Bad Gateway. Tocsin, or a proxy in front of it, is not ready'],
  ['200 OK', [], 'The answer was 200 OK, and no WebSocket. --url must lead to Tocsin, and'],
])('a proxy that answers %s in place of a WebSocket is named in the log', async (status, headers, says) => {
  const page = '<html>sign in</html>'
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    // It never closes the connection by itself.
    socket.once('data', () => socket.write([`HTTP/1.1 ${status}`, ...headers, `content-length: ${page.length + 1}`, '', page].join('\r\n')))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { privateKey } = generateKeyPairSync('ed25519')
  const socket = dialer({ url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), ca: [], proxy: {} })()
  const outcome = signInInTime(socket, { privateKey, token: null, version: '1' }, new ManualClock(), new AbortController().signal)
  const error = await outcome.then(
    () => null,
    (error: unknown) => error,
  )
  expect(reasonOf(error)).toContain(says)
  expect(reasonOf(error)).not.toContain('secret')
  expect([WebSocket.CLOSING, WebSocket.CLOSED]).toContain(socket.readyState)
})

const failed = (code: string, message: string): Error => Object.assign(new Error(message), { code })

test.each([
  [
    failed(
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'unable to verify the first certificate; if the root CA is installed locally, try running Node.js with --use-system-ca',
    ),
    'No trusted CA has signed the certificate of the platform, or of a proxy that inspects TLS: --ca adds a CA: unable to verify the first certificate (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
  ],
  [
    failed('ERR_TLS_CERT_ALTNAME_INVALID', 'Host: vm. is not in the list'),
    'The certificate is for another host name than that of --url: Host: vm. is not in the list (ERR_TLS_CERT_ALTNAME_INVALID)',
  ],
  [
    failed('CERT_HAS_EXPIRED', 'certificate has expired'),
    'The certificate is not valid now, by the clock of this machine: certificate has expired (CERT_HAS_EXPIRED)',
  ],
  [failed('EPROTO', 'wrong version\nnumber\n'), 'The other side does not speak TLS: check --url: wrong version number (EPROTO)'],
  [failed('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1'), 'connect ECONNREFUSED 127.0.0.1:1'],
  [new Error('This agent was revoked.'), 'This agent was revoked.'],
  ['thrown', 'thrown'],
])('an agent that cannot connect says why (%#)', (error, reason) => {
  expect(reasonOf(error)).toBe(reason)
})
