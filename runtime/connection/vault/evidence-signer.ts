import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { promisify } from 'node:util'
import type { Vault } from './vault.ts'

/** What comes before the 32 bytes of a private Ed25519 key in PKCS #8 (RFC 8410, section 7). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

const signInThreadPool = promisify(sign)

/** Signs what runs did, with Ed25519 (RFC 8032). Its key derives from the vault's key, so every process of an installation has the same one. */
export interface EvidenceSigner {
  /** The public key: 32 bytes as base64url. */
  readonly publicKey: string
  /** Returns the signature, 64 bytes. */
  sign(message: Uint8Array): Promise<Uint8Array>
}

/** Makes the signer of an installation from its vault. */
export function createEvidenceSigner(vault: Vault): EvidenceSigner {
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, vault.derive('evidence of runs')]), format: 'der', type: 'pkcs8' })
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  if (x === undefined) throw new TypeError('An Ed25519 key has a public part.')
  return {
    publicKey: x,
    sign: (message) => signInThreadPool(null, message, key),
  }
}
