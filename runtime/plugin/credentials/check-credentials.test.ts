import { beforeAll, expect, test } from 'vitest'
import type { CredentialField, ManifestDocument } from '../grammar/index.ts'
import { loadPluginFolder } from '../manifest/load.ts'
import { sampleFolder } from '../testing.ts'
import { checkCredentials } from './check-credentials.ts'

let manifest: ManifestDocument
beforeAll(async () => {
  manifest = (await loadPluginFolder(sampleFolder)).manifest.document
})

const good = { base_url: 'https://tenant.example.com', api_token: 'abc123' }

/** Returns the messages for one field. */
function faultsOf(given: Readonly<Record<string, unknown>>, field: string): string[] {
  const checked = checkCredentials(manifest, given)
  return checked.ok ? [] : checked.places.filter((place) => place.field === `credentials.${field}`).map(({ message }) => message)
}

test('fields and secrets are separated, and defaults are filled in', () => {
  expect(checkCredentials(manifest, good)).toEqual({
    ok: true,
    fields: { base_url: 'https://tenant.example.com', region: 'eu' },
    secrets: { api_token: 'abc123' },
  })
})

test('all faulty fields are reported at once', () => {
  const checked = checkCredentials(manifest, { base_url: 'http://x', region: 'ch', api_tokn: 'abc' })
  expect(checked.ok ? [] : checked.places.map(({ field }) => field)).toEqual([
    'credentials.api_tokn',
    'credentials.base_url',
    'credentials.api_token',
    'credentials.region',
  ])
})

test.each([undefined, null, ''])('a required field that is %j is missing', (value) => {
  expect(faultsOf({ ...good, api_token: value }, 'api_token')).toEqual(['API Token is missing.'])
})

test.each(['https://tenant.example.com', 'https://tenant.example.com:8443', 'https://127.0.0.1:4443', 'https://Tenant.Example.com'])(
  '%s is an origin',
  (value) => {
    expect(faultsOf({ ...good, base_url: value }, 'base_url')).toEqual([])
  },
)

test.each([
  ['https://tenant.example.com/', 'end with a slash'],
  ['https://tenant.example.com/issues', 'path'],
  ['https://tenant.example.com/api/v1', 'Give the origin only; the connector adds the API path.'],
  ['https://tenant.example.com?x=1', 'query'],
  ['https://tenant.example.com?', 'query'],
  ['https://tenant.example.com#a', 'fragment'],
  ['https://tenant.example.com#', 'fragment'],
  ['https://me:pw@tenant.example.com', 'user name or password'],
  ['http://tenant.example.com', 'https://'],
  ['tenant.example.com', 'such as https://'],
  ['https://', 'such as https://'],
  ['https:tenant.example.com', 'such as https://'],
  ['https://tenant.example.com\\x', ''],
  ['https://ten ant.example.com', ''],
  ['"https://tenant.example.com"', 'in quotes'],
  [' https://tenant.example.com', 'with a space'],
  ['https://tenant.example.com\n', 'line break'],
  ['base_url=https://tenant.example.com', 'whole `base_url=…` line'],
  ['url = https://tenant.example.com', 'whole `url=…` line'],
])('%j is not an origin, and the message says why', (value, message) => {
  const [fault, ...more] = faultsOf({ ...good, base_url: value }, 'base_url')
  expect(more).toEqual([])
  expect(fault).toContain(message)
})

test.each([
  ['abc\u200b123', 'invisible'],
  ['abc def', 'header'],
  ['abcé', 'header'],
  ["'abc'", 'quotes'],
  ['token=abc', 'whole `token=…` line'],
])('a secret that no header may carry, or that was pasted badly, is refused: %j', (value, message) => {
  expect(faultsOf({ ...good, api_token: value }, 'api_token')[0]).toContain(message)
})

test('a message never repeats a value', () => {
  const checked = checkCredentials(manifest, { base_url: 'https://me:canary1@x', api_token: '"canary2"', region: 'canary3' })
  expect(JSON.stringify(checked)).not.toContain('canary')
})

test.each<[CredentialField['type'], unknown, boolean]>([
  ['integer', 5, true],
  ['integer', '5', false],
  ['integer', 1.5, false],
  ['boolean', true, true],
  ['boolean', 'true', false],
  ['base64', 'aGVsbG8=', true],
  ['base64', 'aGVsbG8', false],
  ['base64', 'a b=', false],
  ['uuid', '018f3c1e-0000-7000-8000-000000000001', true],
  ['uuid', '018f3c1e', false],
  ['url', 'https://idp.example.com/pingid', true],
  ['url', 'https://idp.example.com/pingid#a', false],
  ['url', 'ftp://idp.example.com', false],
  ['string', 'anything at all', true],
  ['string', 5, false],
])('type %s with %j: %s', (type, value, fits) => {
  const document = { ...manifest, credentials: [...manifest.credentials, { name: 'extra', label: 'Extra', type }] }
  expect(checkCredentials(document, { ...good, extra: value }).ok).toBe(fits)
})

test('an unknown field: the message has the one that is meant, and all that there are', () => {
  const fields = manifest.credentials.map(({ name }) => name).join(', ')
  expect(faultsOf({ ...good, api_tokn: 'x' }, 'api_tokn')).toEqual([
    `There is no such credential field; did you mean \`api_token\`? The fields are ${fields}.`,
  ])
  expect(faultsOf({ ...good, zzzzzz: 'x' }, 'zzzzzz')).toEqual([`There is no such credential field. The fields are ${fields}.`])
})

test('a rule matches anywhere in the value, with RE2 semantics', () => {
  const rules = [
    { matching: '^idp_', message: 'must begin with idp_' },
    { not_matching: '(a+)+$', message: 'must not end in a' },
  ]
  const document = { ...manifest, credentials: [...manifest.credentials, { name: 'extra', label: 'Extra', type: 'string' as const, rules }] }
  const faults = (extra: string): readonly string[] => {
    const checked = checkCredentials(document, { ...good, extra })
    return checked.ok ? [] : checked.places.map(({ message }) => message)
  }
  expect(faults('idp_x')).toEqual([])
  expect(faults('xidp_')).toEqual(['must begin with idp_'])
  expect(faults(`idp_${'a'.repeat(5000)}`)).toEqual(['must not end in a'])
})
