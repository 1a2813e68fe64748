import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import {
  delayAfter,
  dialer,
  loadKey,
  nodeTooOld,
  readOptions,
  reasonOf,
  SignInRefused,
  type StayDeps,
  signInInTime,
  stayConnected,
} from '../../runtime/relay/agent/index.ts'
import { propose, publicKeyOf } from '../../runtime/relay/link/index.ts'
import { makePki } from '../simulators/pki.ts'
import { ManualClock } from '../support/clocks/manual-clock.ts'

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'tocsin-agent-'))

test('the key is made at the first start, belongs to its owner alone, and is the same at the next', () => {
  const folder = newFolder()
  const file = join(folder, 'deep', 'key.pem')
  const key = loadKey(file)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(publicKeyOf(loadKey(file))).toBe(publicKeyOf(key))
  expect(readdirSync(join(folder, 'deep'))).toEqual(['key.pem'])
  expect(readFileSync(file, 'utf8')).not.toContain(propose(key, 'n').publicKey)
})

test('an agent that was killed while it made its key makes one at the next start, even with the same process id', () => {
  const folder = newFolder()
  const file = join(folder, 'key.pem')
  writeFileSync(`${file}.${process.pid}`, '-----BEGIN PRIV')
  const key = loadKey(file)
  expect(publicKeyOf(loadKey(file))).toBe(publicKeyOf(key))
})

test('a key file that others may read, or without an Ed25519 key, is refused with what to do', () => {
  const file = join(newFolder(), 'key.pem')
  loadKey(file)
  chmodSync(file, 0o640)
  expect(() => loadKey(file)).toThrow(/chmod 600/)
  const damaged = join(newFolder(), 'key.pem')
  writeFileSync(damaged, '-----BEGIN PRIVATE KEY-----\nsecret-part\n', { mode: 0o600 })
  expect(() => loadKey(damaged)).toThrow(/has no Ed25519 key/)
  expect(() => loadKey(damaged)).not.toThrow(/secret-part/)
})

test('an agent on an older Node says which one it needs, and which one this is', () => {
  expect(nodeTooOld('20.20.2')).toMatch(/^The agent needs Node 24 or newer, but it was started with Node 20\.20\.2 \(\//)
  expect([nodeTooOld('24.0.0'), nodeTooOld('30.1.0')]).toEqual([null, null])
})

test('options come from arguments, else from the environment', () => {
  const environment = { TOCSIN_URL: 'https://a.example', TOCSIN_AGENT_ALLOW: '10.0.0.0/8, crm.example:443', TOCSIN_AGENT_TOKEN: 'tsa_x' }
  expect(readOptions([], environment)).toMatchObject({ token: 'tsa_x', url: new URL('https://a.example') })
  const { allow, url, token } = readOptions(['--url', 'http://localhost:8080', '--allow', 'b.example:1'], {})
  expect([url.host, token, allow.allowsName('b.example', 1), allow.allowsName('crm.example', 443)]).toEqual(['localhost:8080', null, true, false])
})

test.each([
  [['--allow', 'a:1'], /--url \(or TOCSIN_URL\) is missing/],
  [['--url', 'https://a.example'], /--allow \(or TOCSIN_AGENT_ALLOW\) is missing/],
  [['--url', 'http://a.example', '--allow', 'a:1'], /must begin with https/],
  [['--url', 'https://a.example', '--allow', 'everything'], /neither host:port nor a CIDR/],
  [['--url', 'https://a.example', '--allwo', 'a:1'], /--allwo'[^\n]*\. The options are:\n {2}--url/],
])('%j is refused with what is wrong', (args, message) => {
  expect(() => readOptions(args, {})).toThrow(message)
})

test.each([
  ['no scheme', 'user:secret@proxy.example:3128'],
  ['another scheme', 'socks5://user:secret@proxy.example:1080'],
  ['no such port', 'http://user:secret@proxy.example:99999'],
])('a proxy that the agent would not go through (%s) is refused, and its password is not shown', (_what, HTTPS_PROXY) => {
  const args = ['--url', 'https://a.example', '--allow', 'a:1']
  for (const environment of [{ HTTPS_PROXY }, { https_proxy: HTTPS_PROXY }]) {
    expect(() => readOptions(args, environment)).toThrow(/HTTPS_PROXY must be a URL/)
    expect(() => readOptions(args, environment)).not.toThrow(/secret/)
  }
  const { proxy } = readOptions(args, { HTTPS_PROXY: 'http://user:secret@proxy.example:3128', no_proxy: 'b.example' })
  expect(proxy).toEqual({ HTTPS_PROXY: 'http://user:secret@proxy.example:3128', NO_PROXY: 'b.example' })
})

test('a file of certificates without any is refused', () => {
  const file = join(newFolder(), 'ca.pem')
  const read = () => readOptions(['--url', 'https://a.example', '--allow', 'a:1', '--ca', file], {}).ca
  writeFileSync(file, 'plant-1\n')
  expect(read).toThrow(/has no certificate in PEM/)
  const { cert } = makePki()
  writeFileSync(file, cert)
  expect(read()).toEqual([cert])
})

test('the wait between tries doubles up to ten seconds, and half of it is random', () => {
  expect([1, 2, 3, 5, 6, 1_000].map((failures) => delayAfter(failures, 1))).toEqual([500, 1_000, 2_000, 8_000, 10_000, 10_000])
  expect(delayAfter(6, 0)).toBe(5_000)
})

/** An agent whose connections a test plays. */
function played(outcomes: (() => Promise<never> | 'open')[], most = 1) {
  const clock = new ManualClock()
  const stopping = new AbortController()
  const tunnels: { cut: () => void; goElsewhere: () => void; drained: boolean; ended: boolean }[] = []
  const lines: string[] = []
  const tries: number[] = []
  const serve: StayDeps['serve'] = () => {
    const [gone, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const cut = (): void => {
      one.ended = true
      gone.resolve()
    }
    const one = { cut, goElsewhere: left.resolve, drained: false, ended: false }
    tunnels.push(one)
    return {
      gone: gone.promise,
      left: left.promise,
      cut,
      leave() {
        one.drained = true
      },
    }
  }
  const connectOnce = async () => {
    tries.push(clock.now() - 1_800_000_000_000)
    const next = outcomes[tries.length - 1]?.() ?? 'open'
    if (next !== 'open') return next
    return { wire: null as never, name: 'plant', version: '1' }
  }
  const run = stayConnected({ clock, random: () => 1, log: (line) => lines.push(line), tunnels: most, connect: connectOnce, serve }, stopping.signal)
  const turn = (): Promise<void> => new Promise(setImmediate)
  return { clock, stopping, tunnels, lines, tries, run, turn }
}

test('the agent tries again for ever, and waits longer after a refusal', async () => {
  const fail = () => Promise.reject(new Error('no route'))
  const refuse = () => Promise.reject(new SignInRefused('agent_revoked', 'revoked'))
  const { clock, stopping, lines, tries, run, turn } = played([fail, fail, refuse, fail])
  for (let count = 0; count < 200; count++) {
    await turn()
    clock.advance(500)
  }
  expect(tries).toEqual([0, 500, 1_500, 61_500, 65_500])
  expect(lines).toContain('the platform refuses this agent')
  stopping.abort()
  await turn()
  clock.advance(25_000)
  await run
})

test('an agent that is asked to go elsewhere opens another tunnel before the old one ends', async () => {
  const { clock, stopping, tunnels, run, turn } = played([])
  await turn()
  tunnels[0]?.goElsewhere()
  await turn()
  clock.advance(500)
  await turn()
  expect(tunnels).toHaveLength(2)
  stopping.abort()
  await turn()
  expect(tunnels.map(({ drained }) => drained)).toEqual([true, true])
  for (const tunnel of tunnels) tunnel.cut()
  await run
})

test('a planned restart of the platform costs half a second, also after a long outage', async () => {
  const fail = () => Promise.reject(new Error('no route'))
  const { clock, tunnels, tries, turn } = played([fail, fail, fail, fail, fail])
  while (tunnels.length === 0) {
    clock.advance(500)
    await turn()
  }
  const connected = tries.at(-1) ?? 0
  tunnels[0]?.goElsewhere()
  await turn()
  clock.advance(500)
  await turn()
  expect(tries.at(-1)).toBe(connected + 500)
})

test('a tunnel that stood for a few seconds is opened again at once, however often it is lost', async () => {
  const { clock, tunnels, tries, turn } = played([])
  await turn()
  for (let count = 0; count < 10; count++) {
    clock.advance(6_000)
    tunnels.at(-1)?.cut()
    await turn()
    clock.advance(500)
    await turn()
  }
  expect(tries).toEqual(Array.from({ length: 11 }, (_, at) => at * 6_500))
  // One that ends at once, again and again, is opened less often.
  for (let count = 0; count < 200; count++) {
    tunnels.at(-1)?.cut()
    await turn()
    clock.advance(500)
    await turn()
  }
  // In these 100 seconds: soon at first, then every ten.
  expect(tries.length).toBeLessThanOrEqual(11 + 5 + 100 / 10)
})

test('a platform that asks the agent to go elsewhere again and again gets a few tunnels, not ever more', async () => {
  const { clock, tunnels, turn } = played([])
  await turn()
  for (let count = 0; count < 10; count++) {
    clock.advance(31_000)
    tunnels.at(-1)?.goElsewhere()
    await turn()
    clock.advance(500)
    await turn()
  }
  expect(tunnels.filter(({ ended }) => !ended)).toHaveLength(4)
})

test('the agent keeps four tunnels, opens one after the other, and replaces one that is lost', async () => {
  const { clock, tunnels, tries, turn } = played([], 4)
  const pass = async (time: number): Promise<void> => {
    for (let at = 0; at < time; at += 500) {
      await turn()
      clock.advance(500)
    }
    await turn()
  }
  await pass(60_000)
  expect(tries).toEqual([0, 500, 1_000, 1_500])
  tunnels[1]?.cut()
  await pass(500)
  tunnels[2]?.goElsewhere()
  await pass(60_000)
  expect(tries.slice(4)).toEqual([60_500, 61_000])
  expect(tunnels.map(({ ended }) => ended)).toEqual([false, true, false, false, false, false])
})

test('four tunnels that are lost together are one loss, and without any the agent tries no more often than for one', async () => {
  const fail = () => Promise.reject(new Error('no route'))
  const { clock, tunnels, tries, turn } = played([], 4)
  const pass = async (time: number): Promise<void> => {
    for (let at = 0; at < time; at += 500) {
      await turn()
      clock.advance(500)
    }
    await turn()
  }
  await pass(1_500)
  for (const tunnel of tunnels) tunnel.cut()
  await pass(500)
  // Half a second after the loss, as for the first tunnel that ends soon.
  expect(tries).toEqual([0, 500, 1_000, 1_500, 2_000])
  const alone = played([fail, fail, fail, fail], 4)
  for (let count = 0; count < 40; count++) {
    await alone.turn()
    alone.clock.advance(500)
  }
  expect(alone.tries.slice(0, 5)).toEqual([0, 500, 1_500, 3_500, 7_500])
})

test('an agent that stops lets open streams end, for a limited time', async () => {
  const { clock, stopping, tunnels, run, turn } = played([])
  await turn()
  stopping.abort()
  await turn()
  expect(tunnels[0]?.drained).toBe(true)
  clock.advance(25_000)
  await run
})

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
