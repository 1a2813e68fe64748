import { hash } from 'node:crypto'
import type { Ids } from '../../domain/index.ts'

/** Every key begins with this, so that secret scanners can recognise a key in repositories and logs. */
export const keyPrefix = 'tsk_'

/** Makes the value of a new API key: `tsk_` and 32 random bytes as 43 base64url characters. It is shown once and not stored. */
export function newKeyValue(ids: Ids): string {
  return keyPrefix + ids.secret(32)
}

/** Returns the stored form of a key: SHA-256 of the value, hexadecimal. */
export function hashKey(value: string): string {
  return hash('sha256', value, 'hex')
}
