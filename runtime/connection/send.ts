import type { Connection, Json, Millis } from '../domain/index.ts'
import type { Egress, OutboundAnswer, OutboundRequest } from '../egress/index.ts'
import { TocsinError } from '../errors/index.ts'
import { parseJson } from '../expressions/index.ts'
import type { Plugin, SendResult, SkillAnswer, SkillRequest, StreamResult } from '../plugin/index.ts'
import { type AuthScheme, authScheme, type SecretReader, type Unsigned } from './auth/index.ts'
import { type Scrub, scrubFor } from './scrub.ts'
import type { Vault } from './vault.ts'

/** When a request may leave and how long it may take. */
export interface Deadline {
  readonly timeout: Millis
  readonly sendBy: Millis | null
  readonly signal: AbortSignal
}

/** A request whose turn has come. */
export interface Departure extends Deadline {
  /** When it is sent: what a signature's timestamp says. */
  readonly now: Millis
}

const decoder = new TextDecoder()

/** The connection's own origins, from its plain credential fields. */
function originsOf({ manifest }: Plugin, connection: Connection): string[] {
  return manifest.origins.map((origin) => new URL(String(origin.render({ credentials: connection.fields }))).origin)
}

function addressOf({ manifest }: Plugin, origin: string, fields: Connection['fields'], { path, query, next, base: below }: SkillRequest): URL {
  const { base, basePath } = manifest.request
  const under = base === null ? '' : new URL(String(fields[base])).pathname.replace(/\/+$/, '')
  const start = below === 'none' ? '' : under + basePath.render({ credentials: fields })
  if (/(^|\/)\.{1,2}(\/|$)|\/\//.test(start)) throw new TocsinError('connection_invalid', `The base path ${start} of the connection is no path.`)
  const url = /^https?:\/\//i.test(path) ? new URL(path) : new URL(start + path, origin)
  for (const [name, value] of query) url.searchParams.append(name, value)
  if (next === undefined) return url
  const following = URL.parse(next, url.href)
  if (following) return following
  throw new TocsinError('answer_not_understood', "The answer's address of the next page is no address.")
}

function unsigned(plugin: Plugin, origin: string, fields: Connection['fields'], request: SkillRequest): Unsigned {
  const body = request.body === undefined ? null : JSON.stringify(request.body)
  const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'tocsin' }
  if (body !== null) headers['content-type'] = 'application/json'
  for (const [name, value] of Object.entries({ ...plugin.manifest.request.headers, ...request.headers })) headers[name.toLowerCase()] = value
  return { method: request.method, url: addressOf(plugin, origin, fields, request), headers, body }
}

const noScheme: AuthScheme = { sign: (request) => request, open: (answer) => answer }

function shownHeaders(headers: OutboundAnswer['headers'], scrub: Scrub): SkillAnswer['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, scrub.text(value)]))
}

function readAnswer({ status, headers, body }: OutboundAnswer, scrub: Scrub): SkillAnswer {
  const text = decoder.decode(body)
  return { status, headers: shownHeaders(headers, scrub), body: scrub.json(parsed(text, headers['content-type'] ?? ''), text) }
}

function parsed(text: string, type: string): Json {
  if (!/json/i.test(type) && !/^\s*[[{]/.test(text)) return text
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

/** A request that is ready to leave, and what its answer must pass on the way back. */
export interface Prepared {
  readonly outbound: OutboundRequest
  /** Verifies and unwraps. @throws TocsinError `answer_signature_invalid` */
  open(answer: OutboundAnswer): OutboundAnswer
  /** Takes out every secret that was read so far: opening an answer may read more of them. */
  scrub(): Scrub
}

/** @returns why it cannot be sent, if it cannot */
export function prepareRequest(
  vault: Vault,
  plugin: Plugin,
  connection: Connection,
  request: SkillRequest,
  { now, timeout, sendBy }: Departure,
  maxAnswer: number = plugin.manifest.request.maxAnswer,
): Prepared | Extract<SendResult, { effect: 'not_sent' | 'refused' | 'unknown' }> {
  const scheme = request.auth === 'none' ? noScheme : authScheme(plugin.manifest.document.auth)
  const secrets: string[] = []
  const secret: SecretReader = (name) => {
    const sealed = connection.secrets[name]
    if (sealed) {
      const opened = vault.open(connection.id, name, sealed)
      if (!secrets.includes(opened)) secrets.push(opened)
      return opened
    }
    const plain = connection.fields[name]
    if (plain === undefined) throw new TocsinError('connection_invalid', `The connection ${connection.instance} has no ${name}.`)
    return String(plain)
  }
  try {
    const origins = originsOf(plugin, connection)
    const signed = scheme.sign(unsigned(plugin, origins[0] ?? '', connection.fields, request), secret, now)
    return {
      outbound: { ...signed, origins, timeout, sendBy, maxAnswer },
      open: (answer) => scheme.open(answer, secret),
      scrub: () => scrubFor(connection, secrets),
    }
  } catch (error) {
    if (error instanceof TocsinError) return { effect: 'not_sent', code: error.code, message: error.message }
    if (error instanceof TypeError) return { effect: 'not_sent', code: 'connection_invalid', message: 'The request does not make a valid address.' }
    throw error
  }
}

/** Sends one request of a skill with a connection's credentials. Never rejects for what becomes of it. */
export async function sendRequest(
  egress: Egress,
  vault: Vault,
  plugin: Plugin,
  connection: Connection,
  request: SkillRequest,
  departure: Departure,
): Promise<SendResult> {
  const prepared = prepareRequest(vault, plugin, connection, request, departure)
  if ('effect' in prepared) return prepared
  const result = await egress.call(prepared.outbound, departure.signal)
  if (result.effect !== 'done') return { ...result, message: prepared.scrub().text(result.message) }
  try {
    const opened = prepared.open(result.answer)
    return { effect: 'done', answer: readAnswer(opened, prepared.scrub()) }
  } catch (error) {
    if (error instanceof TocsinError) return { effect: 'unknown', code: error.code, message: prepared.scrub().text(error.message) }
    throw error
  }
}

/**
 * Opens the answer to one read, to be used as it comes. What is no success is read whole, for the error rows. An answer that its scheme
 * would have to unwrap cannot be streamed.
 */
export async function openRequest(
  egress: Egress,
  vault: Vault,
  plugin: Plugin,
  connection: Connection,
  request: SkillRequest,
  departure: Departure,
  maxBytes: number,
): Promise<StreamResult> {
  const prepared = prepareRequest(vault, plugin, connection, request, departure, maxBytes)
  if ('effect' in prepared) return prepared
  const { open, scrub, outbound } = prepared
  const result = await egress.open(outbound, departure.signal)
  if (result.effect !== 'done') return { ...result, message: scrub().text(result.message) }
  const { status, headers, body } = result.answer
  if (status >= 200 && status < 300) {
    const shown = shownHeaders(headers, scrub())
    return { effect: 'done', answer: { status, headers: shown, body, clean: (value, source) => scrub().json(value, source) } }
  }
  try {
    const whole = await readWhole(body, plugin.manifest.request.maxAnswer)
    return { effect: 'done', refusal: readAnswer(open({ status, headers, body: whole }), scrub()) }
  } catch (error) {
    if (error instanceof TocsinError) return { effect: 'unknown', code: error.code, message: scrub().text(error.message) }
    throw error
  }
}

async function readWhole(body: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > limit) throw new TocsinError('answer_too_large', `The answer is larger than ${limit} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
