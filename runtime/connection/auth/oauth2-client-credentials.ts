import type { Json, Millis } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import {
  type AuthDocument,
  answerContext,
  defaultMeaning,
  failureOf,
  holds,
  type Meaning,
  matchRow,
  notJson,
  type SkillAnswer,
  type TokenPlan,
} from '../../plugin/index.ts'
import type { AuthScheme, SecretReader, TokenGrant, Unsigned } from './scheme.ts'
import { refusalMeaning } from './token-refusals.ts'

type OauthDocument = Extract<AuthDocument, { scheme: 'oauth2_client_credentials' }>

/**
 * The longest token, in characters. Tokens are sent in a header, and servers limit those. The CRM
 * platform allows 16,384 bytes for URI and headers together.
 */
const longestToken = 12_000

/**
 * The longest lifetime of a token. Some systems name an absurd one for a token that never expires. The store
 * could not keep the time of its end.
 */
const longestLifetime: Millis = 365 * 86_400_000

/**
 * Exchanges the client id and secret for an access token (RFC 6749, 4.4), and sends that as
 * `Authorization: Bearer` (RFC 6750).
 * @param plan null only if the manifest did not compile
 */
export function oauth2ClientCredentialsScheme(auth: OauthDocument, plan: TokenPlan | null): AuthScheme {
  if (!plan) throw new TocsinError('manifest_invalid', 'The auth scheme has no token endpoint.')
  return {
    grant: grantOf(auth, plan),
    sign(request, _secret, _now, token) {
      if (token === null) throw new TocsinError('internal', 'The request has no access token.')
      return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }
    },
    open: (answer) => answer,
  }
}

function grantOf(auth: OauthDocument, plan: TokenPlan): TokenGrant {
  return {
    ask: (fields, secret) => tokenRequest(auth, plan.url.render({ credentials: fields }), secret),
    read({ status, body }) {
      const token = member(body, 'access_token')
      if (status < 200 || status > 299 || !isText(token) || !mayBeSent(token) || !isBearer(body)) return null
      return { token, lifetime: lifetimeOf(body) ?? plan.lifetime, members: textsOf(body) }
    },
    failure(answer) {
      const failure = failureOf(...whatIsWrong(plan, answer))
      const error = member(answer.body, 'error')
      return typeof error === 'string' && /^[\w.-]{1,100}$/.test(error) ? { ...failure, vendor: { ...failure.vendor, code: error } } : failure
    },
    expired: (answer) => holds(plan.expired, answerContext(answer)),
  }
}

/** Says why an answer has no token, and returns the part of the answer that may be shown. */
function whatIsWrong(plan: TokenPlan, answer: SkillAnswer): readonly [Meaning, SkillAnswer] {
  const row = matchRow(plan.errors, answer, { method: 'POST', path: '' })
  if (row) return [row, answer]
  const error = member(answer.body, 'error')
  if (answer.status > 299 || isText(error)) return [refusalMeaning(answer.status, error), answer]
  return [
    { ...defaultMeaning(0), cause: whyNone(answer) },
    { ...answer, body: null },
  ]
}

function tokenRequest({ client_id, client_secret, scope, style }: OauthDocument, address: string, secret: SecretReader): Unsigned {
  const url = URL.parse(address)
  if (!url) throw new TocsinError('connection_invalid', `The address of the token endpoint, ${address}, is not a valid URL.`)
  const [id, key] = [secret(client_id.credential), secret(client_secret.credential)]
  const form = new URLSearchParams({ grant_type: 'client_credentials' })
  const headers: Record<string, string> = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'tocsin' }
  if (style === 'basic') headers['authorization'] = `Basic ${Buffer.from(`${formEncoded(id)}:${formEncoded(key)}`).toString('base64')}`
  else {
    form.set('client_id', id)
    form.set('client_secret', key)
  }
  if (scope !== undefined) form.set('scope', scope)
  return { method: 'POST', url, headers, body: form.toString() }
}

/** Encodes user and password of HTTP Basic as RFC 6749, 2.3.1 requires. */
function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}

function member(body: Json, name: string): Json | undefined {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.hasOwn(body, name)
    ? (body as Readonly<Record<string, Json>>)[name]
    : undefined
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== ''
}

function mayBeSent(token: string): boolean {
  return token.length <= longestToken && /^[\x21-\x7e]+$/.test(token)
}

/** Returns whether the answer has a bearer token. A token without a type counts as one, because one was requested. */
function isBearer(body: Json): boolean {
  const type = member(body, 'token_type') ?? 'bearer'
  return typeof type === 'string' && type.toLowerCase() === 'bearer'
}

/** Reads `expires_in`: seconds, as a number or a string of digits. At most `longestLifetime`. */
function lifetimeOf(body: Json): Millis | null {
  const given = member(body, 'expires_in')
  const seconds = typeof given === 'string' && /^\d{1,12}$/.test(given) ? Number(given) : given
  return typeof seconds === 'number' && seconds > 0 ? Math.min(seconds * 1_000, longestLifetime) : null
}

function textsOf(body: Json): Readonly<Record<string, string>> {
  const entries = Object.entries(body as Readonly<Record<string, Json>>)
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && !entry[0].endsWith('_token')))
}

function whyNone(answer: SkillAnswer): string {
  const text = notJson(answer, true)
  if (text !== null) return text
  if (!isText(member(answer.body, 'access_token'))) return 'The token endpoint answered without an access token.'
  return isBearer(answer.body)
    ? 'The token endpoint returned an access token that cannot be sent in a header.'
    : 'The token endpoint returned a token whose type is not bearer.'
}
