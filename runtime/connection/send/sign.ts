import type { Connection } from '../../domain/index.ts'
import type { OutboundAnswer, OutboundRequest } from '../../egress/index.ts'
import { TocsinError } from '../../errors/index.ts'
import { bodyText, ownHeaders, type Plugin, type SkillRequest } from '../../plugin/index.ts'
import type { OpenedAnswer } from '../answer/opened-answer.ts'
import { type Scrub, scrubFor } from '../answer/scrub.ts'
import { type AuthScheme, authScheme, type Unsigned } from '../auth/index.ts'
import { secretsOf } from '../vault/secrets.ts'
import { derivedOrigins, ownOrigins } from './origins.ts'
import type { Departure, NotDone, Outgoing } from './types.ts'

/** A request that is ready to leave, and how to read its answer. */
export interface Signed {
  readonly outbound: OutboundRequest
  /** Verifies and unwraps the answer. @throws TocsinError `answer_signature_invalid` */
  open(answer: OutboundAnswer): OpenedAnswer | Promise<OpenedAnswer>
  /** Returns a scrub for every secret that was read so far. Opening an answer may read more of them. */
  scrub(): Scrub
}

const noScheme: AuthScheme = { grant: null, sign: (request) => request, open: (answer) => answer }

/**
 * Stage: sign. Makes the URL, the headers and the body, and adds the credentials.
 * @param maxAnswer the most bytes that the answer may have
 * @returns the failure, if the request cannot be sent
 */
export function sign(
  { vault, plugin, connection, route, request, pauseCheck, answers }: Outgoing,
  departure: Departure,
  maxAnswer: number,
): Signed | NotDone {
  const { now, token = null, detected = {}, timeout, sendBy, leaveBy = null } = departure
  const scheme = request.auth === 'none' ? noScheme : authScheme(plugin.manifest)
  const secrets = secretsOf(vault, connection)
  const scrub = () => scrubFor(connection, token === null ? secrets.opened : [token.text, ...secrets.opened])
  try {
    const own = ownOrigins(plugin, connection)
    // The answer may also repeat the secrets that the token was obtained with, and so may that of the token
    // endpoint, so these are read for the scrub.
    if (token !== null) for (const name of Object.keys(connection.secrets)) secrets.read(name)
    const derived = derivedOrigins(plugin, token?.members ?? {}, own, (text) => scrub().text(text))
    if (!derived.ok)
      return { effect: 'not_sent', code: 'derived_origin_refused', message: scrub().text(derived.message), remedy: scrub().text(derived.remedy) }
    const origins = [...derived.origins, ...own]
    const target: Target = { plugin, fields: connection.fields, origin: origins[0] ?? '', detected }
    const signed = scheme.sign(unsigned(target, request, scheme.wraps === true), secrets.read, now, token?.text ?? null)
    const limits = { sendBy, leaveBy, ...(sendBy !== null && pauseCheck && { pauseCheck }) }
    return {
      outbound: { ...signed, origins, route, timeout, maxAnswer, ...limits },
      open: (answer) => scheme.open(answer, secrets.read, answers),
      scrub,
    }
  } catch (error) {
    if (error instanceof TocsinError) return { effect: 'not_sent', code: error.code, message: error.message }
    if (error instanceof TypeError) return { effect: 'not_sent', code: 'connection_invalid', message: 'The request does not have a valid URL.' }
    throw error
  }
}

/** Where a request is sent to. */
interface Target {
  readonly plugin: Plugin
  readonly fields: Connection['fields']
  /** Used unless the request has a full URL. */
  readonly origin: string
  readonly detected: Readonly<Record<string, string>>
}

const jsonType = 'application/json'

/**
 * Makes the request as it is before the credentials are added, for people to look at.
 * @param detected values for `detected.<name>` in the base path
 * @throws TocsinError `skill_input_invalid`, `connection_invalid`, `template_failed`; TypeError if the URL is invalid
 */
export function unsignedRequest(plugin: Plugin, connection: Connection, request: SkillRequest, detected: Readonly<Record<string, string>>): Unsigned {
  const [origin = ''] = ownOrigins(plugin, connection)
  return unsigned({ plugin, fields: connection.fields, origin, detected }, request, authScheme(plugin.manifest).wraps === true)
}

/**
 * @param wraps whether the scheme wraps the body in a text of its own. If so, the content type is
 * that text's
 * @throws TocsinError `skill_input_invalid`
 */
function unsigned(target: Target, request: SkillRequest, wraps: boolean): Unsigned {
  const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'tocsin' }
  if (request.body !== undefined) headers['content-type'] = jsonType
  for (const [name, value] of Object.entries({ ...target.plugin.manifest.request.headers, ...request.headers })) {
    const key = name.toLowerCase()
    if (ownHeaders.has(key)) throw new TocsinError('skill_input_invalid', `A plugin may not set the header ${key}.`)
    headers[key] = value
  }
  const body = request.body === undefined ? null : bodyText(request.body, wraps ? jsonType : (headers['content-type'] ?? ''))
  return { method: request.method, url: addressOf(target, request), headers, body }
}

function addressOf(target: Target, { path, query, next, base }: SkillRequest): URL {
  const url = /^https?:\/\//i.test(path) ? new URL(path) : new URL((base === 'none' ? '' : basePathOf(target)) + path, target.origin)
  for (const [name, value] of query) {
    if (!value.isWellFormed())
      throw new TocsinError('skill_input_invalid', `${name} contains half of a character (a lone surrogate), which is not allowed in a URL.`)
    url.searchParams.append(name, value)
  }
  if (next === undefined) return url
  const following = URL.parse(next, url.href)
  if (following) return following
  throw new TocsinError('answer_not_understood', 'The answer names a next page, but its address is not a valid URL.')
}

function basePathOf({ plugin: { manifest }, fields, detected }: Target): string {
  const { base, basePath } = manifest.request
  const under = base === null ? '' : new URL(String(fields[base])).pathname.replace(/\/+$/, '')
  const start = under + basePath.render({ credentials: fields, detected })
  if (/(^|\/)\.{1,2}(\/|$)|\/\//.test(start))
    throw new TocsinError('connection_invalid', `The base path ${start} of the connection is not a valid path.`)
  return start
}
