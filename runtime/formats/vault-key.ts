import { TocsinError } from '../errors/index.ts'

/** The length of a vault key. */
export const vaultKeyBytes = 32

/**
 * Parses a vault key: 32 bytes as base64 or base64url, or 64 hexadecimal digits.
 * @throws TocsinError `config_invalid`
 */
export function parseVaultKey(text: string, source: string): Uint8Array {
  const trimmed = text.trim()
  const key = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, 'hex') : Buffer.from(trimmed, 'base64')
  if (key.length !== vaultKeyBytes)
    throw new TocsinError('config_invalid', `${source} must be 32 bytes, as base64 or as 64 hexadecimal digits; it has ${key.length}.`, [], {
      remedy: 'Give the complete key that the store was created with. For a new store, make one with: openssl rand -base64 32',
    })
  return key
}
