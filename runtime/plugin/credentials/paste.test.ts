import { expect, test } from 'vitest'
import type { ManifestDocument } from '../grammar/index.ts'
import { readPaste } from './paste.ts'

const manifest = {
  name: 'MFA',
  paste: [{ format: 'properties', map: { idp_url: 'idp_url', org_alias: 'org_alias', token: 'token', key: 'use_base64_key' } }],
} as unknown as ManifestDocument

test('a whole properties file fills the fields, whatever the platform wrote around them', () => {
  const file = [
    '\ufeff#Auto-Generated, downloaded by id=[x]',
    '! another comment',
    '#Thu Jan 01 00:00:00 UTC 1970',
    'use_base64_key=YWJj+/==',
    'use_signature=true',
    'token=abc=def',
    'idp_url=https\\://idp.example/pingid',
    '  org_alias : a-\\u0062-c',
    'admin_url=https://admin.example/pingid',
    'authenticator_url=https\\:\\',
    '   //auth.example',
    '',
  ].join('\r\n')
  expect(readPaste(manifest, file)).toEqual({
    ok: true,
    fields: { idp_url: 'https://idp.example/pingid', org_alias: 'a-b-c', token: 'abc=def', key: 'YWJj+/==' },
  })
})

test('some lines fill some fields, and values are not corrected', () => {
  expect(readPaste(manifest, 'token="quoted" ')).toEqual({ ok: true, fields: { token: '"quoted" ' } })
})

test.each([
  ['canary-value', 'This line is not key=value', 1],
  ['# c\ntoken=canary-value\ntoken=canary-value', 'token appears twice', 3],
  ['other=canary-value', 'none of the keys idp_url, org_alias', undefined],
  ['# nothing', 'no key=value line', undefined],
])('%j is refused, and the message has no value', (text, message, line) => {
  const pasted = readPaste(manifest, text)
  expect(pasted).toMatchObject({ ok: false, places: [{ field: 'paste', message: expect.stringContaining(message) }] })
  expect(!pasted.ok && pasted.places[0]?.line).toBe(line)
  expect(JSON.stringify(pasted)).not.toContain('canary')
})

test('an integration without such a file says so', () => {
  expect(readPaste({ name: 'Mail' } as ManifestDocument, 'a=b')).toMatchObject({ ok: false, places: [{ field: 'paste' }] })
})
