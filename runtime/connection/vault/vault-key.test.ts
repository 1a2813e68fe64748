import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseVaultKey } from '../../formats/index.ts'
import { loadVaultKey } from './vault-key.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tocsin-vault-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

test('a folder keeps the key that was made at the first start, readable by its owner only', () => {
  const key = loadVaultKey(directory)
  expect(key).toHaveLength(32)
  expect(loadVaultKey(directory)).toEqual(key)
  expect(statSync(join(directory, 'vault.key')).mode & 0o777).toBe(0o600)
  expect(parseVaultKey(readFileSync(join(directory, 'vault.key'), 'utf8'), 'file')).toEqual(key)
})

test('the draft of a process that died while it made the key does no harm', () => {
  writeFileSync(join(directory, `vault.key.${process.pid}`), 'half a k')
  expect(loadVaultKey(directory)).toHaveLength(32)
})

test('base64, base64url and hexadecimal are accepted; anything else is a configuration error that names its source', () => {
  const bytes = Buffer.alloc(32, 0xfb)
  for (const text of [bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')]) expect(parseVaultKey(text, 'x')).toEqual(bytes)
  expect(() => parseVaultKey('short', 'TOCSIN_VAULT_KEY')).toThrow(/TOCSIN_VAULT_KEY must be 32 bytes/)
})

test('a damaged key file is refused, not replaced', () => {
  writeFileSync(join(directory, 'vault.key'), 'not a key')
  expect(() => loadVaultKey(directory)).toThrow(expect.objectContaining({ code: 'config_invalid' }))
  expect(readFileSync(join(directory, 'vault.key'), 'utf8')).toBe('not a key')
})
