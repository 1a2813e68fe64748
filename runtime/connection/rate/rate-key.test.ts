import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { asId, type Connection, type ConnectionId } from '../../domain/index.ts'
import { loadPluginFolder } from '../../plugin/index.ts'
import { createVault } from '../vault/vault.ts'
import { rateKeyOf } from './rate-key.ts'

const folder = (id: string): string => fileURLToPath(new URL(`../../../plugins/${id}`, import.meta.url))
const [browser, mailsec] = [await loadPluginFolder(folder('browser')), await loadPluginFolder(folder('mailsec'))]
const vault = createVault(Buffer.alloc(32, 1))

function connection(name: string, secret: string, base = 'https://api.example.com/v1', from = vault): Connection {
  const id = asId<ConnectionId>(name)
  return { id, instance: name, fields: { base_url: base }, secrets: { api_key: from.seal(id, 'api_key', secret) } } as unknown as Connection
}

const keyOf = (one: Connection, plugin = browser): string => rateKeyOf(vault, plugin, one)

test('connections with the same credentials are counted together', () => {
  expect(keyOf(connection('one', 'canary-key'))).toBe(keyOf(connection('two', 'canary-key')))
})

test('connections with another secret, system or integration are counted separately', () => {
  const one = connection('one', 'canary-key')
  const others = [
    keyOf(connection('two', 'other-key')),
    keyOf(connection('two', 'canary-key', 'https://other.example.com/v1')),
    keyOf(connection('two', 'canary-key'), mailsec),
    rateKeyOf(createVault(Buffer.alloc(32, 2)), browser, connection('two', 'canary-key', undefined, createVault(Buffer.alloc(32, 2)))),
  ]
  expect(new Set([keyOf(one), ...others]).size).toBe(5)
})

test('the key reveals nothing about the secret', () => {
  expect(keyOf(connection('one', 'canary-key'))).toMatch(/^[\w-]{43}$/)
})

test('a connection without secrets, or with unreadable ones, is counted by itself', () => {
  expect(keyOf({ ...connection('one', 'x'), secrets: {} })).toBe('one')
  expect(keyOf(connection('one', 'x', undefined, createVault(randomBytes(32))))).toBe('one')
})
