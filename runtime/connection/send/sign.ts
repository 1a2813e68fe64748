import type { Connection, Millis } from '../../domain/index.ts'
import { type Egress, type OutboundAnswer, type OutboundRequest, type PauseCheck, Pieces } from '../../egress/index.ts'
import { TocsinError } from '../../errors/index.ts'
import { bodyText, ownHeaders, type Plugin, type SendResult, type SkillRequest, type StreamResult } from '../../plugin/index.ts'
import type { CallAnswers } from '../answer/call-answers.ts'
import type { OpenedAnswer } from '../answer/opened-answer.ts'
import { readAnswer, shownHeaders } from '../answer/read-answer.ts'
import { type Scrub, scrubFor } from '../answer/scrub.ts'
import { type AuthScheme, authScheme, type Unsigned } from '../auth/index.ts'
import type { AccessToken } from '../tokens/index.ts'
import { secretsOf } from '../vault/secrets.ts'
import type { Vault } from '../vault/vault.ts'
import type { Deadline } from './deadline.ts'
import { derivedOrigins, ownOrigins } from './origins.ts'

/** A request whose turn has come. */
export interface Departure extends Deadline {
  /** When it is sent: what a signature's timestamp says. */
  readonly now: Millis
  /** Where the auth scheme uses access tokens. */
  readonly token?: AccessToken | null
  /** What was detected of the external system: `detected.<name>` in the base path. */
  readonly detected?: Readonly<Record<string, string>>
}

interface Way {
  readonly plugin: Plugin
  readonly fields: Connection['fields']
  /** Where the request goes unless it names an address of its own. */
  readonly origin: string
  readonly detected: Readonly<Record<string, string>>
}

function startOf({ plugin: { manifest }, fields, detected }: Way): string {
  const { base, basePath } = manifest.request
  const under = base === null ? '' : new URL(String(fields[base])).pathname.replace(/\/+$/, '')
  const start = under + basePath.render({ credentials: fields, detected })
  if (/(^|\/)\.{1,2}(\/|$)|\/\//.test(start)) throw new TocsinError('connection_invalid', `The base path ${start} of the connection is no path.`)
  return start
}

function addressOf(way: Way, { path, query, next, base }: SkillRequest): URL {
  const url = /^https?:\/\//i.test(path) ? new URL(path) : new URL((base === 'none' ? '' : startOf(way)) + path, way.origin)
  for (const [name, value] of query) {
    if (!value.isWellFormed())
      throw new TocsinError('skill_input_invalid', `${name} has half of a character (a lone surrogate), which a URL cannot contain.`)
    url.searchParams.append(name, value)
  }
  if (next === undefined) return url
  const following = URL.parse(next, url.href)
  if (following) return following
  throw new TocsinError('answer_not_understood', "The answer's address of the next page is no address.")
}

/**
 * @param wraps whether the body goes out within another text, which the content type is of
 * @throws TocsinError `skill_input_invalid`
 */
function unsigned(way: Way, request: SkillRequest, wraps: boolean): Unsigned {
  const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'tocsin' }
  if (request.body !== undefined) headers['content-type'] = jsonType
  for (const [name, value] of Object.entries({ ...way.plugin.manifest.request.headers, ...request.headers })) {
    const key = name.toLowerCase()
    if (ownHeaders.has(key)) throw new TocsinError('skill_input_invalid', `The header ${key} is not the plugin's to set.`)
    headers[key] = value
  }
  const body = request.body === undefined ? null : bodyText(request.body, wraps ? jsonType : (headers['content-type'] ?? ''))
  return { method: request.method, url: addressOf(way, request), headers, body }
}

const jsonType = 'application/json'

const noScheme: AuthScheme = { grant: null, sign: (request) => request, open: (answer) => answer }

type NotDone = Exclude<SendResult, { effect: 'done' }>

/** A request that is ready to leave, and what its answer must pass on the way back. */
interface Prepared {
  readonly outbound: OutboundRequest
  /** Verifies and unwraps. @throws TocsinError `answer_signature_invalid` */
  open(answer: OutboundAnswer): OpenedAnswer | Promise<OpenedAnswer>
  /** Takes out every secret that was read so far: opening an answer may read more of them. */
  scrub(): Scrub
}

/** Whose request it is, and by what it is sent. */
export interface Outgoing {
  readonly egress: Egress
  readonly vault: Vault
  readonly plugin: Plugin
  readonly connection: Connection
  readonly request: SkillRequest
  /** What a write asks before it leaves. */
  readonly pauseCheck?: PauseCheck | undefined
  /** Who reads the answer. */
  readonly answers: CallAnswers
}

/** @returns why it cannot be sent, if it cannot */
function prepare({ vault, plugin, connection, request, pauseCheck, answers }: Outgoing, departure: Departure, maxAnswer: number): Prepared | NotDone {
  const { now, token = null, detected = {}, timeout, sendBy, leaveBy = null } = departure
  const scheme = request.auth === 'none' ? noScheme : authScheme(plugin.manifest)
  const secrets = secretsOf(vault, connection)
  const scrub = () => scrubFor(connection, token === null ? secrets.opened : [token.text, ...secrets.opened])
  try {
    const own = ownOrigins(plugin, connection)
    const derived = derivedOrigins(plugin, token?.members ?? {}, own)
    // An answer may also repeat what the token was obtained with.
    if (token !== null) for (const name of Object.keys(connection.secrets)) secrets.read(name)
    if (!derived.ok)
      return { effect: 'not_sent', code: 'derived_origin_refused', message: scrub().text(derived.message), remedy: scrub().text(derived.remedy) }
    const origins = [...derived.origins, ...own]
    const way: Way = { plugin, fields: connection.fields, origin: origins[0] ?? '', detected }
    const signed = scheme.sign(unsigned(way, request, scheme.wraps === true), secrets.read, now, token?.text ?? null)
    const passage = { sendBy, leaveBy, ...(sendBy !== null && pauseCheck && { pauseCheck }) }
    return { outbound: { ...signed, origins, timeout, maxAnswer, ...passage }, open: (answer) => scheme.open(answer, secrets.read, answers), scrub }
  } catch (error) {
    if (error instanceof TocsinError) return { effect: 'not_sent', code: error.code, message: error.message }
    if (error instanceof TypeError) return { effect: 'not_sent', code: 'connection_invalid', message: 'The request does not make a valid address.' }
    throw error
  }
}

/** Sends one request of a skill once, with a connection's credentials. Never rejects for what becomes of it. */
export async function sendRequest(outgoing: Outgoing, departure: Departure): Promise<SendResult> {
  const prepared = prepare(outgoing, departure, outgoing.plugin.manifest.request.maxAnswer)
  if ('effect' in prepared) return prepared
  const { outbound, open, scrub } = prepared
  const result = await outgoing.egress.call(outbound, departure.signal)
  if (result.effect !== 'done') return { ...result, message: scrub().text(result.message) }
  try {
    await outgoing.answers.admit(result.answer.body.length, departure.signal)
    const opened = await open(result.answer)
    return { effect: 'done', answer: await readAnswer(opened, scrub(), outgoing.answers) }
  } catch (error) {
    if (error instanceof TocsinError) return { effect: 'unknown', code: error.code, message: scrub().text(error.message) }
    if (departure.signal.aborted) return { effect: 'unknown', code: 'network', message: 'The call was given up.' }
    throw error
  }
}

/**
 * Opens the answer to one read, to be used as it comes. What is no success is read whole, for the error rows. An answer that its scheme
 * would have to unwrap comes as it is.
 */
export async function openRequest(outgoing: Outgoing, departure: Departure, maxBytes: number): Promise<StreamResult> {
  const prepared = prepare(outgoing, departure, maxBytes)
  if ('effect' in prepared) return prepared
  const { outbound, open, scrub } = prepared
  const result = await outgoing.egress.open(outbound, departure.signal)
  if (result.effect !== 'done') return { ...result, message: scrub().text(result.message) }
  const { status, headers, body, cancel } = result.answer
  if (status >= 200 && status < 300) {
    const shown = shownHeaders(headers, scrub())
    return { effect: 'done', answer: { status, headers: shown, body, cancel, clean: (json) => scrub().jsonText(json) } }
  }
  try {
    const whole = await readWhole(body, outgoing.plugin.manifest.request.maxAnswer)
    await outgoing.answers.admit(whole.length, departure.signal)
    const opened = await open({ status, headers, body: whole })
    return { effect: 'done', refusal: await readAnswer(opened, scrub(), outgoing.answers) }
  } catch (error) {
    if (error instanceof TocsinError) return { effect: 'unknown', code: error.code, message: scrub().text(error.message) }
    if (departure.signal.aborted) return { effect: 'unknown', code: 'network', message: 'The call was given up.' }
    throw error
  }
}

async function readWhole(body: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const pieces = new Pieces(limit)
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > limit) throw new TocsinError('answer_too_large', `The answer is larger than ${limit} bytes.`)
    pieces.add(chunk)
  }
  return pieces.joined()
}
