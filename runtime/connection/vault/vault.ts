import { createCipheriv, createDecipheriv, createHash, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'
import type { ConnectionId, Sealed, WebhookId } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const derivedBytes = 32

/** The connection or webhook that a secret belongs to. */
type Owner = ConnectionId | WebhookId

/** Encrypts secrets for the store, and is the only place that decrypts them. */
export interface Vault {
  /** Identifies the key without revealing it. Stored with every ciphertext. */
  readonly keyId: string
  /** The ids of all keys with which it decrypts, this one first. */
  readonly keyIds: readonly string[]
  /**
   * Encrypts a secret. The ciphertext is bound to one field of one owner and cannot be read
   * anywhere else.
   */
  seal(owner: Owner, field: string, secret: string): Sealed
  /** @throws TocsinError `secret_unreadable` */
  open(owner: Owner, field: string, sealed: Sealed): string
  /**
   * Identifies a text without revealing it. Equal texts have equal fingerprints. Without the
   * vault's key a fingerprint is of no use.
   */
  fingerprint(text: string): string
  /**
   * Derives another key from the vault's key (HKDF, RFC 5869): 32 bytes, always the same ones for a
   * purpose. They do not reveal the vault's key.
   */
  derive(purpose: string): Uint8Array
}

function keyIdOf(bytes: Uint8Array): string {
  return createHash('sha256').update('tocsin vault key id').update(bytes).digest('hex').slice(0, 16)
}

function associated(keyId: string, owner: Owner, field: string): Buffer {
  return Buffer.from(JSON.stringify([1, keyId, owner, field]))
}

/**
 * @param bytes the key, which encrypts: 32 bytes
 * @param older keys that only decrypt what was encrypted with them
 */
export function createVault(bytes: Uint8Array, older: readonly Uint8Array[] = []): Vault {
  const key = createSecretKey(bytes)
  const keyId = keyIdOf(bytes)
  const keys = new Map([...older.map((each) => [keyIdOf(each), createSecretKey(each)] as const), [keyId, key]])
  const keyIds = [keyId, ...[...keys.keys()].filter((id) => id !== keyId)]

  return {
    keyId,
    keyIds,
    fingerprint: (text) => createHmac('sha256', key).update('tocsin fingerprint ').update(text).digest('base64url'),
    derive: (purpose) => new Uint8Array(hkdfSync('sha256', key, '', `tocsin ${purpose}`, derivedBytes)),
    seal(owner, field, secret) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce)
      cipher.setAAD(associated(keyId, owner, field))
      const data = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return { v: 1, key: keyId, data: data.toString('base64url') }
    },
    open(owner, field, sealed) {
      const its = keys.get(sealed.key)
      if (its === undefined)
        throw new TocsinError('secret_unreadable', `The field ${field} was encrypted with the vault key ${sealed.key}; this is ${keyId}.`)
      const data = Buffer.from(sealed.data, 'base64url')
      try {
        const decipher = createDecipheriv(algorithm, its, data.subarray(0, nonceBytes), { authTagLength: tagBytes })
        decipher.setAAD(associated(sealed.key, owner, field))
        decipher.setAuthTag(data.subarray(-tagBytes))
        return Buffer.concat([decipher.update(data.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString('utf8')
      } catch (error) {
        throw new TocsinError('secret_unreadable', `The field ${field} cannot be decrypted.`, [], { cause: error })
      }
    },
  }
}
