import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

/** The agent's answer to a challenge. */
export interface Proposal {
  readonly publicKey: string
  readonly signature: string
}

/** What is signed. It says what the signature is for, so no other use of the key can make one. */
function statement(nonce: string): Buffer {
  return Buffer.from(`tocsin-agent sign-in\n${nonce}`)
}

/** Returns the raw public key of a private Ed25519 key, 32 bytes as base64url. */
export function publicKeyOf(privateKey: KeyObject): string {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  if (x === undefined) throw new TypeError('not an Ed25519 key')
  return x
}

/** Answers a challenge. */
export function propose(privateKey: KeyObject, nonce: string): Proposal {
  return { publicKey: publicKeyOf(privateKey), signature: sign(null, statement(nonce), privateKey).toString('base64url') }
}

/** Returns whether the signature proves that the sender has the private key. */
export function proves({ publicKey, signature }: Proposal, nonce: string): boolean {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' })
    return verify(null, statement(nonce), key, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}
