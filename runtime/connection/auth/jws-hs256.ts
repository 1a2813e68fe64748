import { isUtf8 } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { isObject, type Json, type Millis, parseJson } from '../../domain/index.ts'
import type { OutboundAnswer } from '../../egress/index.ts'
import { TocsinError } from '../../errors/index.ts'
import { type JsonPath, JsonRefused, readJson, writeJson } from '../../json/index.ts'
import type { AuthDocument, ClaimDocument } from '../../plugin/index.ts'
import type { AnswerReading } from '../answer/answer-reading.ts'
import type { OpenedAnswer } from '../answer/opened-answer.ts'
import { answerLimits, decoded } from '../answer/read-answer.ts'
import type { AuthScheme, SecretReader } from './scheme.ts'

type JwsDocument = Extract<AuthDocument, { scheme: 'jws_hs256' }>
type Claims = Readonly<Record<string, ClaimDocument>>

/**
 * Sends the body as a compact JWS, signed with HMAC SHA-256, and expects the answer as one
 * (specification 5: MFA provider). A request without a body has nothing to sign and is sent as it is.
 */
export function jwsHs256Scheme(auth: JwsDocument): AuthScheme {
  return {
    grant: null,
    wraps: true,
    sign(request, secret, now) {
      if (request.body === null) return request
      const header = { alg: 'HS256', ...filled(auth.header, secret, now) }
      const signed = `${encoded(JSON.stringify(header))}.${encoded(payloadOf(auth, request.body, secret, now))}`
      return { ...request, body: `${signed}.${signatureOf(signed, keyOf(auth, secret))}` }
    },
    async open(answer, secret, reading) {
      const text = (await decoded(answer.body, reading)).trim()
      const parts = partsOf(text)
      if (!parts) return unsignedAnswer(auth, answer, text, reading)
      const { header, payload, signature } = parts
      const head = headerOf(header)
      if (!equal(signature, await signatureInTurns(`${header}.${payload}`, keyOf(auth, secret), reading)) || head?.['alg'] !== 'HS256')
        throw new TocsinError('answer_signature_invalid', `The signature of the answer (${answer.status}) does not fit the signing key.`)
      const other = (auth.same ?? []).some((name) => differs(auth, name, head, secret))
      const bytes = await bytesOf(payload, reading)
      // Bytes that are not UTF-8 are passed on. `readAnswer` will report that they cannot be read.
      const answered = isUtf8(bytes) ? await opened(auth, answer, await decoded(bytes, reading), reading) : { ...answer, body: bytes }
      return other ? { ...answered, unvouched: 'for_another' } : answered
    },
  }
}

interface Parts {
  readonly header: string
  readonly payload: string
  readonly signature: string
}

/**
 * Splits a compact JWS. Returns null if the text is not one. The vendor sends it without quotes,
 * although the content type is JSON. With quotes it is accepted too.
 */
function partsOf(text: string): Parts | null {
  const bare = text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text
  const first = bare.indexOf('.')
  const second = bare.indexOf('.', first + 1)
  const [header, payload, signature] = [bare.slice(0, Math.max(first, 0)), bare.slice(first + 1, Math.max(second, 0)), bare.slice(second + 1)]
  // The characters of the payload are not checked, because it may be long and the signature covers it.
  const whole = first > 0 && second > first + 1 && /^[\w-]{1,10000}$/.test(header) && /^[\w-]{0,1000}$/.test(signature)
  return whole ? { header, payload, signature } : null
}

/**
 * How many characters are processed in one turn. A multiple of four, because Base64 comes in groups
 * of four.
 */
const part = 262_144

/** Like `signatureOf`, for a long text. */
async function signatureInTurns(signed: string, key: Buffer, { turns, tenant }: AnswerReading): Promise<string> {
  const hmac = createHmac('sha256', key)
  for (let from = 0; from < signed.length; from += part) {
    hmac.update(signed.slice(from, from + part), 'ascii')
    const turn = turns.next(tenant)
    if (turn) await turn
  }
  return hmac.digest('base64url')
}

async function bytesOf(base64url: string, { turns, tenant }: AnswerReading): Promise<Buffer> {
  // The operating system provides memory only for pages that are written, so a large buffer costs
  // nothing until then.
  const bytes = Buffer.allocUnsafeSlow(base64url.length)
  let size = 0
  for (let from = 0; from < base64url.length; from += part) {
    size += bytes.write(base64url.slice(from, from + part), size, 'base64url')
    const turn = turns.next(tenant)
    if (turn) await turn
  }
  return bytes.subarray(0, size)
}

function filled(claims: Claims, secret: SecretReader, now: Millis): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(claims).map(([name, claim]) => {
      if (typeof claim !== 'object') return [name, claim]
      return [name, 'credential' in claim ? secret(claim.credential) : timestamp(now)]
    }),
  )
}

/** Returns `yyyy-MM-dd HH:mm:ss.SSS` in UTC. */
function timestamp(now: Millis): string {
  return new Date(now).toISOString().replace('T', ' ').replace('Z', '')
}

/** Inserts the body as text, so that long integers keep all their digits. */
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

/** Compares in constant time. */
function equal(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given, 'ascii'), Buffer.from(right, 'ascii')]
  return a.length === b.length && timingSafeEqual(a, b)
}

function headerOf(header: string): Readonly<Record<string, Json>> | null {
  const read = parsed(Buffer.from(header, 'base64url').toString('utf8'))
  return isObject(read) ? read : null
}

/**
 * Tells whether an answer was signed for another client, who may share the key with us. A claim
 * that the answer leaves out is not compared.
 */
function differs({ header }: JwsDocument, name: string, head: Readonly<Record<string, Json>>, secret: SecretReader): boolean {
  const claim = header[name]
  const given = head[name]
  if (given === undefined || claim === undefined) return false
  const sent = typeof claim !== 'object' ? claim : 'credential' in claim ? secret(claim.credential) : null
  return given !== sent
}

/**
 * Handles an answer without a signature. An error page of a gateway is passed on to the error rows.
 * For JSON the manifest decides (`unsigned`).
 */
async function unsignedAnswer(auth: JwsDocument, answer: OutboundAnswer, text: string, reading: AnswerReading): Promise<OpenedAnswer> {
  if (!isUtf8(answer.body) || !isObject((await parsedInTurns(text, reading)).value)) return { ...answer, unvouched: 'unsigned' }
  if (auth.unsigned !== 'accept') throw new TocsinError('answer_signature_invalid', `The answer (${answer.status}) is not signed.`)
  return { ...(await opened(auth, answer, text, reading)), unvouched: 'unsigned' }
}

async function opened({ open }: JwsDocument, answer: OutboundAnswer, text: string, reading: AnswerReading): Promise<OpenedAnswer> {
  const { value: payload, repeated } = await parsedInTurns(text, reading)
  const inner = open !== undefined && isObject(payload) && isObject(payload[open]) ? payload[open] : payload
  const body = inner === undefined ? text : await writeJson(inner, { turns: reading.turns, key: reading.tenant })
  return {
    ...answer,
    headers: { ...answer.headers, 'content-type': 'application/json' },
    body: Buffer.from(body, 'utf8'),
    ...(repeated && { repeated }),
  }
}

interface Parsed {
  /** Undefined if the text is not JSON, or exceeds the limits of an answer. */
  readonly value: Json | undefined
  /** The path of the first field that appears twice in an object. */
  readonly repeated?: JsonPath
}

async function parsedInTurns(text: string, { turns, tenant }: AnswerReading): Promise<Parsed> {
  const heard: JsonPath[] = []
  try {
    const value = await readJson(text, { limits: answerLimits, turns, key: tenant, piece: parseJson, repeated: (path) => heard.push(path) })
    const [repeated] = heard
    return { value, ...(repeated && { repeated }) }
  } catch (error) {
    if (error instanceof JsonRefused) return { value: undefined }
    throw error
  }
}

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
