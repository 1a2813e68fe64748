import { createPublicKey, hash, verify } from 'node:crypto'
import type { EvidenceSigner } from '../connection/index.ts'
import { isObject, type Json } from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'

/** A JWS in the flattened JSON form (RFC 7515, section 7.2.2). Its payload is an `EvidenceDocument`. */
export interface SignedEvidence {
  readonly protected: string
  readonly payload: string
  readonly signature: string
}

/** A public key as a JWK (RFC 8037). `kid` is its thumbprint (RFC 7638). */
export interface EvidenceKey {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  readonly kid: string
  readonly alg: 'EdDSA'
  readonly use: 'sig'
}

export interface Verified {
  /** Identifies the key that signed it. It may be anybody's: compare it with a key that you trust. */
  readonly keyId: string
  readonly document: Json
}

/** Tells the signature of evidence from one that a key made for something else. */
const type = 'tocsin-run-evidence+jws'

/** @param x the public key: 32 bytes as base64url */
export function keyOf(x: string): EvidenceKey {
  const kid = hash('sha256', `{"crv":"Ed25519","kty":"OKP","x":"${x}"}`, 'base64url')
  return { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' }
}

/** @param document the JSON of an `EvidenceDocument` */
export async function signEvidence(signer: EvidenceSigner, document: string): Promise<SignedEvidence> {
  const { kid, kty, crv, x } = keyOf(signer.publicKey)
  const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', typ: type, kid, jwk: { kty, crv, x } })).toString('base64url')
  const payload = Buffer.from(document).toString('base64url')
  const signature = await signer.sign(Buffer.from(`${header}.${payload}`))
  return { protected: header, payload, signature: Buffer.from(signature).toString('base64url') }
}

/**
 * Checks the signature of evidence, and reads it.
 * @param given the JSON of the file
 * @throws TocsinError `evidence_invalid` if it is no evidence, or has changed since it was signed
 */
export function verifyEvidence(given: unknown): Verified {
  const { protected: header, payload, signature } = (given ?? {}) as Readonly<Record<string, unknown>>
  if (typeof header !== 'string' || typeof payload !== 'string' || typeof signature !== 'string')
    throw invalid('It has no `protected`, `payload` and `signature`.')
  const { alg, typ, kid, jwk, crit } = objectIn(header, 'protected')
  if (alg !== 'EdDSA' || typ !== type || crit !== undefined) throw invalid('Its header is not that of evidence of a run.')
  const x = isObject(jwk) ? jwk['x'] : undefined
  if (typeof x !== 'string' || Buffer.from(x, 'base64url').toString('base64url') !== x || keyOf(x).kid !== kid)
    throw invalid('The key in its header is damaged.')
  if (!isSigned(x, `${header}.${payload}`, signature)) throw invalid('The signature does not belong to the content.')
  return { keyId: kid, document: objectIn(payload, 'payload') }
}

function isSigned(x: string, text: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))
  } catch {
    // The key has another length, or is no point of the curve.
    return false
  }
}

function objectIn(encoded: string, name: string): { readonly [key: string]: Json } {
  try {
    const value = JSON.parse(Buffer.from(encoded, 'base64url').toString()) as Json
    if (isObject(value)) return value
  } catch {
    // Refused below.
  }
  throw invalid(`Its \`${name}\` is no JSON object.`)
}

function invalid(message: string): TocsinError {
  return new TocsinError('evidence_invalid', message)
}
