import { createCipheriv, createDecipheriv, createHash, createSecretKey, randomBytes } from 'node:crypto'
import type { ConnectionId, Sealed } from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Encrypts secrets for the store and is the only place where they become readable again. */
export interface Vault {
  /** Names the key without telling it; stored with every ciphertext. */
  readonly keyId: string
  /** A ciphertext belongs to one field of one connection: moved elsewhere it cannot be read. */
  seal(connection: ConnectionId, field: string, secret: string): Sealed
  /** @throws TocsinError `secret_unreadable` */
  open(connection: ConnectionId, field: string, sealed: Sealed): string
}

/** @param bytes the key: 32 bytes */
export function createVault(bytes: Uint8Array): Vault {
  const key = createSecretKey(bytes)
  const keyId = createHash('sha256').update('tocsin vault key id').update(bytes).digest('hex').slice(0, 16)
  const associated = (connection: ConnectionId, field: string): Buffer => Buffer.from(JSON.stringify([1, keyId, connection, field]))

  return {
    keyId,
    seal(connection, field, secret) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce)
      cipher.setAAD(associated(connection, field))
      const data = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return { v: 1, key: keyId, data: data.toString('base64url') }
    },
    open(connection, field, sealed) {
      if (sealed.key !== keyId)
        throw new TocsinError('secret_unreadable', `The field ${field} was encrypted with the vault key ${sealed.key}; this is ${keyId}.`)
      const data = Buffer.from(sealed.data, 'base64url')
      try {
        const decipher = createDecipheriv(algorithm, key, data.subarray(0, nonceBytes), { authTagLength: tagBytes })
        decipher.setAAD(associated(connection, field))
        decipher.setAuthTag(data.subarray(-tagBytes))
        return Buffer.concat([decipher.update(data.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString('utf8')
      } catch (error) {
        throw new TocsinError('secret_unreadable', `The field ${field} cannot be decrypted.`, [], { cause: error })
      }
    },
  }
}
