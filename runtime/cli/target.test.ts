import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { announceServer, runningServers } from '../running/index.ts'
import { findTarget } from './target.ts'

let home: string
let environment: NodeJS.ProcessEnv
let folder: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tocsin-target-'))
  environment = { XDG_STATE_HOME: home, TOCSIN_DATA: join(home, 'unused') }
  folder = join(home, 'tocsin', 'running')
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** Returns a server that is alive as long as this process, with its own data folder and admin key. */
function serve(name: string, url: string, pid: number = process.pid): string {
  const data = join(home, name)
  mkdirSync(data, { recursive: true })
  writeFileSync(join(data, 'admin.key'), `key-of-${name}\n`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ pid, machine: hostname(), url, data }))
  return data
}

test('a running server is found with its key, until it stops', () => {
  const data = join(home, 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'admin.key'), 'tsk_x\n')
  const withdraw = announceServer({ url: 'http://0.0.0.0:4711', data }, environment)
  expect(findTarget({}, environment)).toEqual({ url: 'http://127.0.0.1:4711', key: 'tsk_x' })
  withdraw()
  expect(runningServers(environment)).toEqual([])
})

test('options and variables win over a server that was found', () => {
  serve('one', 'http://127.0.0.1:1001')
  expect(findTarget({ url: 'http://h:1/', key: 'k' }, environment)).toEqual({ url: 'http://h:1', key: 'k' })
  expect(findTarget({}, { ...environment, TOCSIN_URL: 'http://h:2', TOCSIN_API_KEY: 'k' })).toEqual({ url: 'http://h:2', key: 'k' })
  expect(findTarget({ key: 'k' }, { ...environment, TOCSIN_PORT: '3' })).toEqual({ url: 'http://127.0.0.1:3', key: 'k' })
})

test('TOCSIN_CA_FILE names authorities to trust for https, and does not matter for http', () => {
  const file = join(home, 'ca.pem')
  writeFileSync(file, '-----BEGIN CERTIFICATE-----\n')
  const trusting = { ...environment, TOCSIN_CA_FILE: file }
  expect(findTarget({ url: 'https://h', key: 'k' }, trusting)).toEqual({ url: 'https://h', key: 'k', ca: ['-----BEGIN CERTIFICATE-----\n'] })
  const missing = { ...environment, TOCSIN_CA_FILE: join(home, 'none.pem') }
  expect(findTarget({ url: 'http://h', key: 'k' }, missing)).toEqual({ url: 'http://h', key: 'k' })
  expect(() => findTarget({ url: 'https://h', key: 'k' }, missing)).toThrow(/TOCSIN_CA_FILE cannot be read/)
})

test('without a key and without a server, the error says how to start one', () => {
  expect(() => findTarget({}, environment)).toThrow(
    expect.objectContaining({
      code: 'config_invalid',
      message: expect.stringMatching(/no API key for http:.*No Tocsin that listens there runs on this machine/),
      remedy: expect.stringMatching(/^If Tocsin does not run yet, start it with `tocsin up`/),
    }),
  )
  rmSync(join(serve('one', 'http://127.0.0.1:1001'), 'admin.key'))
  expect(() => findTarget({}, environment)).toThrow(expect.objectContaining({ remedy: expect.stringMatching(/^Give --key/) }))
})

test('the admin key of one server is not sent to another', () => {
  serve('one', 'http://127.0.0.1:1001')
  expect(findTarget({ url: 'http://127.0.0.1:1001/' }, environment)).toMatchObject({ key: 'key-of-one' })
  expect(() => findTarget({ url: 'http://elsewhere:1001' }, environment)).toThrow(expect.objectContaining({ code: 'config_invalid' }))
})

test('of several servers, the one with this data folder is taken; else the error names them all', () => {
  const data = serve('one', 'http://127.0.0.1:1001')
  serve('two', 'http://127.0.0.1:1002')
  expect(findTarget({}, { ...environment, TOCSIN_DATA: data })).toEqual({ url: 'http://127.0.0.1:1001', key: 'key-of-one' })
  expect(() => findTarget({}, environment)).toThrow(/1001 .*1002/)
})

test('--port and --data name a running server, and bring its key', () => {
  const data = serve('one', 'http://127.0.0.1:1001')
  serve('two', 'http://192.0.2.7:1002')
  expect(findTarget({ port: 1002 }, environment)).toEqual({ url: 'http://192.0.2.7:1002', key: 'key-of-two' })
  expect(findTarget({ data }, environment)).toEqual({ url: 'http://127.0.0.1:1001', key: 'key-of-one' })
  expect(findTarget({ data, port: 1001 }, { ...environment, TOCSIN_URL: 'http://h:2' })).toEqual({ url: 'http://127.0.0.1:1001', key: 'key-of-one' })
  expect(findTarget({ port: 1003, key: 'k' }, environment)).toEqual({ url: 'http://127.0.0.1:1003', key: 'k' })
})

test('if no server has the folder of --data, no other server is taken', () => {
  const data = serve('one', 'http://127.0.0.1:1001')
  const other = join(home, 'other')
  expect(() => findTarget({ data: other, key: 'k' }, environment)).toThrow(
    `No server with the data folder ${other} runs on this machine. These run: http://127.0.0.1:1001`,
  )
  expect(() => findTarget({ data, port: 1002 }, environment)).toThrow(/folder .*one and the port 1002/)
})

test('the file of a dead process is removed', () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  serve('gone', 'http://127.0.0.1:1001', pid)
  expect(runningServers(environment)).toEqual([])
  expect(readdirSync(folder)).toEqual([])
})

test('a folder that others can write to is ignored: they could redirect the key', () => {
  serve('one', 'http://127.0.0.1:1001')
  chmodSync(folder, 0o777)
  expect(runningServers(environment)).toEqual([])
})

test('other files are ignored', () => {
  serve('one', 'http://127.0.0.1:1001')
  writeFileSync(join(folder, 'half.json'), '{"pid":')
  writeFileSync(join(folder, 'odd.json'), 'null')
  expect(runningServers(environment)).toHaveLength(1)
})

test('without a writable home folder the server is not announced, and nothing fails', () => {
  writeFileSync(join(home, 'tocsin'), '')
  announceServer({ url: 'http://127.0.0.1:1', data: '/d' }, environment)()
  expect(runningServers(environment)).toEqual([])
})

test.each([
  ['a line break', 'tsk_one\ntsk_two', 'a line break'],
  ['an invisible character', 'tsk_o\u200bne', 'U+200B'],
  ['a space', 'tsk one', 'a space'],
])('a key with %s is refused before it is sent, and not repeated', (_name, key, said) => {
  serve('one', 'http://127.0.0.1:1001')
  for (const [options, variables] of [[{ key }, {}] as const, [{}, { TOCSIN_API_KEY: key }] as const])
    try {
      findTarget(options, { ...environment, ...variables })
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ code: 'config_invalid', message: expect.stringContaining(said) })
      expect(String(error)).not.toContain('tsk')
    }
})

test('white space around a key does no harm, and a blank variable counts as absent', () => {
  serve('one', 'http://127.0.0.1:1001')
  expect(findTarget({ key: ' tsk_x\r\n' }, environment)).toMatchObject({ key: 'tsk_x' })
  expect(findTarget({}, { ...environment, TOCSIN_API_KEY: ' ' })).toMatchObject({ key: 'key-of-one' })
})

test('an option --key that a script left empty does not become the admin key', () => {
  serve('one', 'http://127.0.0.1:1001')
  expect(() => findTarget({ key: '' }, environment)).toThrow(
    expect.objectContaining({ code: 'config_invalid', message: expect.stringContaining('empty') }),
  )
})

test.each(['foo', '127.0.0.1:8080', 'localhost:8080', 'ftp://h', '', ' ', 'http://', 'http://h:1?a=b', 'http://h:1/#x'])(
  'the address "%s" is refused, and an example is given',
  (url) => {
    const refused = expect.objectContaining({ code: 'config_invalid', remedy: expect.stringContaining('http://127.0.0.1:8080') })
    expect(() => findTarget({ url, key: 'k' }, environment)).toThrow(refused)
    if (url !== '') expect(() => findTarget({ key: 'k' }, { ...environment, TOCSIN_URL: url })).toThrow(refused)
  },
)

test('an address with a password is refused, and the password is not repeated', () => {
  const find = () => findTarget({ url: 'http://ada:pw-canary@h:1', key: 'k' }, environment)
  expect(find).toThrow(expect.objectContaining({ code: 'config_invalid' }))
  expect(find).not.toThrow(/canary/)
})

test('TOCSIN_PORT must be a port; 0 means the port that the server took', () => {
  serve('one', 'http://127.0.0.1:1001')
  expect(findTarget({}, { ...environment, TOCSIN_PORT: '0' })).toEqual({ url: 'http://127.0.0.1:1001', key: 'key-of-one' })
  for (const port of ['abc', '70000', '-1'])
    expect(() => findTarget({ key: 'k' }, { ...environment, TOCSIN_PORT: port })).toThrow(/TOCSIN_PORT must be a port number/)
})
