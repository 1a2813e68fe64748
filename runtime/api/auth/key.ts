import { hash } from 'node:crypto'
import type { Ids } from '../../domain/index.ts'

/** What every key begins with, so that scanners of repositories and logs can know one. */
const keyPrefix = 'tsk_'

/** A new API key's value: `tsk_` and 32 random bytes as 43 base64url characters. It is shown once and kept nowhere. */
export function newKeyValue(ids: Ids): string {
  return keyPrefix + ids.secret(32)
}

/** What is kept of a key: SHA-256 of the value, hexadecimal. */
export function hashKey(value: string): string {
  return hash('sha256', value, 'hex')
}
