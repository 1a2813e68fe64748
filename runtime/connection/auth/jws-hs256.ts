import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Json, type Millis, parseJson } from '../../domain/index.ts'
import type { OutboundAnswer } from '../../egress/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { AuthDocument, ClaimDocument } from '../../plugin/index.ts'
import type { AuthScheme, OpenedAnswer, SecretReader } from './scheme.ts'

type JwsDocument = Extract<AuthDocument, { scheme: 'jws_hs256' }>
type Claims = Readonly<Record<string, ClaimDocument>>

const decoder = new TextDecoder()

/**
 * The request as a compact JWS, signed with HMAC SHA-256, and the answer as one (specification 5: MFA provider). A request without a
 * body has nothing to sign and goes as it is.
 */
export function jwsHs256Scheme(auth: JwsDocument): AuthScheme {
  return {
    grant: null,
    sign(request, secret, now) {
      if (request.body === null) return request
      const header = { alg: 'HS256', ...filled(auth.header, secret, now) }
      const signed = `${encoded(JSON.stringify(header))}.${encoded(payloadOf(auth, request.body, secret, now))}`
      return { ...request, body: `${signed}.${signatureOf(signed, keyOf(auth, secret))}` }
    },
    open(answer, secret) {
      const text = decoder.decode(answer.body).trim()
      // The vendor sends the JWS bare; in quotes it would be the JSON that the content type says.
      const parts = /^"?([\w-]+)\.([\w-]+)\.([\w-]*)"?$/.exec(text)
      if (!parts) return unsignedAnswer(auth, answer, text)
      const [, header = '', payload = '', signature = ''] = parts
      const head = headerOf(header)
      if (!equal(signature, signatureOf(`${header}.${payload}`, keyOf(auth, secret))) || head?.['alg'] !== 'HS256')
        throw new TocsinError('answer_signature_invalid', `The signature of the answer (${answer.status}) does not fit the signing key.`)
      const other = (auth.same ?? []).some((name) => differs(auth, name, head, secret))
      const answered = opened(auth, answer, Buffer.from(payload, 'base64url').toString('utf8'))
      return other ? { ...answered, unvouched: 'for_another' } : answered
    },
  }
}

function filled(claims: Claims, secret: SecretReader, now: Millis): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(claims).map(([name, claim]) => {
      if (typeof claim !== 'object') return [name, claim]
      return [name, 'credential' in claim ? secret(claim.credential) : timestamp(now)]
    }),
  )
}

/** `yyyy-MM-dd HH:mm:ss.SSS` in UTC */
function timestamp(now: Millis): string {
  return new Date(now).toISOString().replace('T', ' ').replace('Z', '')
}

/** The body is put in as it is written, so that its integers keep all their digits. */
function payloadOf({ envelope }: JwsDocument, body: string, secret: SecretReader, now: Millis): string {
  if (!envelope) return body
  const members = Object.entries(envelope.with ?? {}).map(
    ([name, claims]) => `${JSON.stringify(name)}:${JSON.stringify(filled(claims, secret, now))}`,
  )
  return `{${[...members, `${JSON.stringify(envelope.body)}:${body}`].join(',')}}`
}

function keyOf({ key }: JwsDocument, secret: SecretReader): Buffer {
  return Buffer.from(secret(key.credential), 'base64')
}

function encoded(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url')
}

function signatureOf(signed: string, key: Buffer): string {
  return createHmac('sha256', key).update(signed, 'ascii').digest('base64url')
}

/** Takes as long wherever the first difference is. */
function equal(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given, 'ascii'), Buffer.from(right, 'ascii')]
  return a.length === b.length && timingSafeEqual(a, b)
}

function headerOf(header: string): Readonly<Record<string, Json>> | null {
  const read = parsed(Buffer.from(header, 'base64url').toString('utf8'))
  return isObject(read) ? read : null
}

/** An answer to somebody else may be signed with a key that they share with us. One that does not say whom it is for is vouched for by the key. */
function differs({ header }: JwsDocument, name: string, head: Readonly<Record<string, Json>>, secret: SecretReader): boolean {
  const claim = header[name]
  const given = head[name]
  if (given === undefined || claim === undefined) return false
  const sent = typeof claim !== 'object' ? claim : 'credential' in claim ? secret(claim.credential) : null
  return given !== sent
}

/** A gateway's page is left for the error rows to see; JSON without a signature is as the manifest says. */
function unsignedAnswer(auth: JwsDocument, answer: OutboundAnswer, text: string): OpenedAnswer {
  if (!isObject(parsed(text))) return { ...answer, unvouched: 'unsigned' }
  if (auth.unsigned !== 'accept') throw new TocsinError('answer_signature_invalid', `The answer (${answer.status}) is not signed.`)
  return { ...opened(auth, answer, text), unvouched: 'unsigned' }
}

function opened({ open }: JwsDocument, answer: OutboundAnswer, text: string): OutboundAnswer {
  const payload = parsed(text)
  const inner = open !== undefined && isObject(payload) && isObject(payload[open]) ? payload[open] : payload
  const body = inner === undefined ? text : JSON.stringify(inner)
  return { ...answer, headers: { ...answer.headers, 'content-type': 'application/json' }, body: Buffer.from(body, 'utf8') }
}

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
