import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isTocsinError, type TocsinError } from '../errors/index.ts'
import { readConfig } from './read.ts'

test('with nothing set it is one process on loopback with the embedded store', () => {
  const config = readConfig({}, {})
  expect(config).toMatchObject({ host: '127.0.0.1', port: 8080, bodyLimit: 1024 * 1024, backends: { kind: 'embedded' }, adminKey: null })
  expect(config.plugins).toHaveLength(1)
})

test('a flag wins over its variable, and an empty variable counts as absent', () => {
  expect(readConfig({ TOCSIN_PORT: '1', TOCSIN_HOST: '' }, { port: '2' })).toMatchObject({ port: 2, host: '127.0.0.1' })
})

test('a process works on more runs at once if they share commands of MongoDB', () => {
  const services = { MONGODB_URL: 'mongodb://x', REDIS_URL: 'redis://x' }
  expect([{}, services, { ...services, TOCSIN_CONCURRENCY: '7' }].map((set) => readConfig(set, {}).concurrency)).toEqual([96, 128, 7])
})

test('folders are split at commas', () => {
  expect(readConfig({ TOCSIN_PLAYBOOKS: '/a, /b' }, {}).playbooks).toEqual(['/a', '/b'])
})

test.each([
  [{ MONGODB_URL: 'mongodb://x' }, /REDIS_URL is missing: MONGODB_URL alone/],
  [{ REDIS_URL: 'redis://x' }, /MONGODB_URL is missing: REDIS_URL alone/],
  [{ MONGODB_URL: 'http://x', REDIS_URL: 'redis://x' }, /MONGODB_URL must begin with/],
  [{ TOCSIN_PORT: '70000' }, /--port \(TOCSIN_PORT\) must be an integer/],
  [{ TOCSIN_PORT: '1e3' }, /--port/],
  [{ TOCSIN_LOG_LEVEL: 'loud' }, /TOCSIN_LOG_LEVEL/],
  [{ TOCSIN_BODY_LIMIT: 'much' }, /TOCSIN_BODY_LIMIT must be a size/],
  [{ TOCSIN_ADMIN_KEY: 'x'.repeat(31) }, /TOCSIN_ADMIN_KEY must be 32 to 200/],
  [{ TOCSIN_TRUSTED_PROXIES: '10.0.0.0/8,proxy.local' }, /"proxy.local" is neither/],
  [{ TOCSIN_ADMIN_KEY: 'with;semicolon'.repeat(3) }, /must not have any of/],
  [{ TOCSIN_CA_FILE: '/does/not/exist.pem' }, /TOCSIN_CA_FILE cannot be read/],
])('%o is refused by the name of what is wrong', (environment, message) => {
  expect(() => readConfig(environment, {})).toThrow(expect.objectContaining({ code: 'config_invalid', message: expect.stringMatching(message) }))
})

test.each([
  'redis://ada:canary/secret@redis:6379',
  'redis://:canary#secret@redis:6379',
  'redis://:canary?secret@redis:6379',
  'redis://:canary%secret@redis:6379',
  'redis://:canary@redis:6379#secret',
])('%s is refused with how to write a password, and is not repeated', (REDIS_URL) => {
  const error = refusalOf({ MONGODB_URL: 'mongodb://x', REDIS_URL })
  expect(error).toMatchObject({ code: 'config_invalid', message: 'REDIS_URL is not a valid URL.', remedy: expect.stringContaining('/ as %2F') })
  expect(JSON.stringify(error)).not.toContain('canary')
})

test.each(['redis://:canary@redis:6379/main', 'redis://:canary@redis:6379/1/2', 'redis://redis?password=canary&db=main'])(
  'a database of Redis without a number is refused (%s)',
  (REDIS_URL) => {
    const error = refusalOf({ MONGODB_URL: 'mongodb://x', REDIS_URL })
    expect(error).toMatchObject({ code: 'config_invalid', message: expect.stringMatching(/^REDIS_URL must end with the number of a database/) })
    expect(JSON.stringify(error)).not.toContain('canary')
  },
)

test.each(['redis://', 'redis://redis', 'rediss://ada:p%2Fq@redis:6380/3', 'redis://:a@b@redis:6379', 'redis://[::1]:6379/?db=2'])(
  '%s is a URL of Redis',
  (REDIS_URL) => {
    expect(readConfig({ MONGODB_URL: 'mongodb://x', REDIS_URL }, {}).backends).toMatchObject({ redis: REDIS_URL })
  },
)

function refusalOf(environment: NodeJS.ProcessEnv): unknown {
  try {
    readConfig(environment, {})
  } catch (error) {
    return isTocsinError(error) ? { code: error.code, message: error.message, remedy: error.remedy } : error
  }
  return null
}

test('no message repeats a secret', () => {
  expect(() => readConfig({ TOCSIN_ADMIN_KEY: 'x;canary-secret'.repeat(3) }, {})).toThrow(/^((?!canary).)*$/)
})

test('a certificate file is read', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'tocsin-config-')), 'ca.pem')
  writeFileSync(file, '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n')
  expect(readConfig({ TOCSIN_CA_FILE: file }, {}).ca).toHaveLength(1)
})

test('one error reports all wrong settings, each with its remedy', () => {
  const environment = {
    TOCSIN_LOG_LEVEL: 'loud',
    TOCSIN_VAULT_KEY: 'short',
    TOCSIN_EGRESS_ALLOW: '10.0.0.0/8,https://crm.example.com/',
    TOCSIN_ADMIN_KEY: 'canary-secret',
    MONGODB_URL: 'http://canary-secret@x',
  }
  const error = (() => {
    try {
      return readConfig(environment, { port: 'x' })
    } catch (thrown) {
      return thrown as TocsinError
    }
  })() as TocsinError
  expect(error).toMatchObject({ code: 'config_invalid', message: '7 settings are wrong.' })
  const places = error.places.map(({ field, message }) => `${field}: ${message}`)
  expect(places).toEqual([
    expect.stringMatching(/^--port \(TOCSIN_PORT\): must be an integer.*it is "x"\. Give a number such as 8080\.$/),
    expect.stringMatching(/^--log-level \(TOCSIN_LOG_LEVEL\): must be one of/),
    expect.stringMatching(/^MONGODB_URL: must begin with mongodb:.* Set it to an address such as mongodb:/),
    expect.stringMatching(/^REDIS_URL: is missing.*unset MONGODB_URL/),
    expect.stringMatching(/^TOCSIN_VAULT_KEY: must be 32 bytes.*openssl rand -base64 32$/),
    expect.stringMatching(/^TOCSIN_ADMIN_KEY: must be 32 to 200.*openssl rand -hex 32$/),
    expect.stringMatching(/^TOCSIN_EGRESS_ALLOW: "https:.*Leave out https/),
  ])
  expect(JSON.stringify(places)).not.toContain('canary')
})

test('the error about a single wrong setting has its remedy', () => {
  expect(() => readConfig({ TOCSIN_CA_FILE: '/does/not/exist.pem' }, {})).toThrow(
    expect.objectContaining({
      message: 'TOCSIN_CA_FILE cannot be read: there is no file /does/not/exist.pem (ENOENT).',
      remedy: expect.stringContaining('PEM file'),
    }),
  )
  expect(() => readConfig({ TOCSIN_STOP_WITHIN: '2h' }, {})).toThrow(
    expect.objectContaining({ remedy: expect.stringContaining('number and s or m') }),
  )
})

test.each(['serve', 'worker'] as const)('tocsin %s needs both services', (process) => {
  expect(() => readConfig({}, {}, process)).toThrow(
    expect.objectContaining({ places: [expect.objectContaining({ field: 'MONGODB_URL' }), expect.objectContaining({ field: 'REDIS_URL' })] }),
  )
  expect(() => readConfig({ MONGODB_URL: 'mongodb://x' }, {}, process)).toThrow(
    expect.objectContaining({ message: `REDIS_URL is missing: tocsin ${process} needs it.`, remedy: expect.stringContaining('tocsin up') }),
  )
})
