import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { asId, type ConnectionId } from '../../domain/index.ts'
import { createVault } from './vault.ts'

const id = asId<ConnectionId>('connection-1')
const other = asId<ConnectionId>('connection-2')

test('a sealed secret can be opened, and nothing of it shows', () => {
  const vault = createVault(randomBytes(32))
  const sealed = vault.seal(id, 'api_token', 'canary-secret')
  expect(vault.open(id, 'api_token', sealed)).toBe('canary-secret')
  expect(Buffer.from(sealed.data, 'base64url').toString('latin1')).not.toContain('canary')
})

test('the same secret is sealed differently each time', () => {
  const vault = createVault(randomBytes(32))
  expect(vault.seal(id, 'f', 's').data).not.toBe(vault.seal(id, 'f', 's').data)
})

test.each([
  ['another connection', other, 'api_token'],
  ['another field', id, 'client_secret'],
] as const)('a ciphertext moved to %s cannot be read', (_name, connection, field) => {
  const vault = createVault(randomBytes(32))
  expect(() => vault.open(connection, field, vault.seal(id, 'api_token', 's'))).toThrow(expect.objectContaining({ code: 'secret_unreadable' }))
})

test('a ciphertext that was changed or cut, or that belongs to another key, cannot be read', () => {
  const vault = createVault(randomBytes(32))
  const sealed = vault.seal(id, 'f', 'secret')
  const bytes = Buffer.from(sealed.data, 'base64url')
  bytes[bytes.length - 1]! ^= 1
  const unreadable = expect.objectContaining({ code: 'secret_unreadable' })
  expect(() => vault.open(id, 'f', { ...sealed, data: bytes.toString('base64url') })).toThrow(unreadable)
  expect(() => vault.open(id, 'f', { ...sealed, data: sealed.data.slice(0, 8) })).toThrow(unreadable)
  expect(() => createVault(randomBytes(32)).open(id, 'f', sealed)).toThrow(unreadable)
})
