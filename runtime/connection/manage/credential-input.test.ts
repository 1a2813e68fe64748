import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Connection } from '../../domain/index.ts'
import { loadPluginFolder, type Plugin } from '../../plugin/index.ts'
import { changedCredentials } from './credential-input.ts'

const loaded = await loadPluginFolder(fileURLToPath(new URL('../../../plugins/mailsec', import.meta.url)))
const { document } = loaded.manifest
const optional = { name: 'proxy_password', label: 'Proxy password', type: 'string', secret: true } as const
const plugin: Plugin = { ...loaded, manifest: { ...loaded.manifest, document: { ...document, credentials: [...document.credentials, optional] } } }
const sealed = { v: 1, key: 'k', data: 'x' } as const
const standing = {
  fields: { base_url: 'https://a.example', gone: 'of an older manifest' },
  secrets: { api_token: sealed, proxy_password: sealed },
} as unknown as Connection

describe('a changed connection', () => {
  test('keeps fields that the change does not name, except those that the manifest no longer has', () => {
    expect(changedCredentials(plugin, standing, {})).toMatchObject({
      fields: { base_url: 'https://a.example' },
      secrets: {},
      kept: ['api_token', 'proxy_password'],
    })
    expect(changedCredentials(plugin, standing, {}).fields).not.toHaveProperty('gone')
  })

  test('loses an optional secret that is set to null', () => {
    expect(changedCredentials(plugin, standing, { credentials: { proxy_password: null } }).kept).toEqual(['api_token'])
  })

  test('needs each secret again when its address changes, except those that are removed', () => {
    const moved = (credentials: Record<string, string | null>) =>
      changedCredentials(plugin, standing, { credentials: { base_url: 'https://b.example', ...credentials } })
    const places = (names: string[]) =>
      expect.objectContaining({ places: names.map((name) => expect.objectContaining({ field: `credentials.${name}` })) })
    expect(() => moved({})).toThrow(places(['api_token', 'proxy_password']))
    expect(() => moved({ api_token: 'new' })).toThrow(places(['proxy_password']))
    expect(moved({ api_token: 'new', proxy_password: null })).toMatchObject({ secrets: { api_token: 'new' }, kept: [] })
  })
})
