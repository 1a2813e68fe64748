import { expect, test } from 'vitest'
import { compileText, compileValue } from '../../expressions/index.ts'
import type { Plugin } from '../types.ts'
import { originFields } from './origin-fields.ts'

const field = (name: string, type = 'string', secret = false) => ({ name, label: name, type, secret })

function pluginOf(tokenUrl: string | null): Plugin {
  const credentials = [
    field('environment', 'enum'),
    field('tenant'),
    field('token_host'),
    field('help_page', 'url'),
    field('client_id'),
    field('key', 'string', true),
  ]
  const origins = [compileValue('https://{{ credentials.tenant }}.example.com'), compileValue('https://{{ credentials.environment }}.example.com')]
  const token = tokenUrl === null ? null : { url: compileText(tokenUrl) }
  return { manifest: { document: { credentials }, origins, token } } as unknown as Plugin
}

test('fields in an origin or a URL of the auth scheme, and all URL fields, decide where requests go', () => {
  for (const url of ['https://{{ credentials.token_host }}/token', "https://{{ credentials['token_host'] }}/token"])
    expect(originFields(pluginOf(url))).toEqual(['environment', 'tenant', 'token_host', 'help_page'])
  expect(originFields(pluginOf(null))).toEqual(['environment', 'tenant', 'help_page'])
})

test('a name that only begins like another is a different one', () => {
  expect(originFields(pluginOf('{{ credentials.token_hosts }}'))).not.toContain('token_host')
})

test('the field whose path precedes every path is one of them', () => {
  const { manifest } = pluginOf(null)
  const document = { ...manifest.document, request: { base: { credential: 'token_host' } } }
  expect(originFields({ manifest: { ...manifest, document } } as unknown as Plugin)).toContain('token_host')
})
