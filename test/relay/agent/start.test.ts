import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadKey, nodeTooOld, readOptions } from '../../../runtime/relay/agent/index.ts'
import { propose, publicKeyOf } from '../../../runtime/relay/link/index.ts'
import { makePki } from '../../simulators/pki.ts'

/* What an agent is started with: its key and its options. */

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
