import { expect, test } from 'vitest'
import { compileValue } from '../expressions/index.ts'
import { originFields } from './origin-fields.ts'
import type { Plugin } from './types.ts'

const field = (name: string, type = 'string', secret = false) => ({ name, label: name, type, secret })

function pluginOf(auth: object): Plugin {
  const credentials = [
    field('environment', 'enum'),
    field('tenant'),
    field('token_host'),
    field('help_page', 'url'),
    field('client_id'),
    field('key', 'string', true),
  ]
  const origins = [compileValue('https://{{ credentials.tenant }}.example.com'), compileValue('https://{{ credentials.environment }}.example.com')]
  return { manifest: { document: { credentials, auth }, origins } } as unknown as Plugin
}

test('what an origin, an address of the auth scheme or an address field is made of decides where requests go', () => {
  const auth = { scheme: 'oauth2', token_url: 'https://{{ credentials.token_host }}/token', client_id: { credential: 'client_id' } }
  expect(originFields(pluginOf(auth))).toEqual(['environment', 'tenant', 'token_host', 'help_page'])
})

test('a name that only begins like another is not that one', () => {
  expect(originFields(pluginOf({ token_url: '{{ credentials.token_hosts }}' }))).not.toContain('token_host')
})

test('the field whose path comes before every path is one of them', () => {
  const { manifest } = pluginOf({})
  const document = { ...manifest.document, request: { base: { credential: 'token_host' } } }
  expect(originFields({ manifest: { ...manifest, document } } as unknown as Plugin)).toContain('token_host')
})
