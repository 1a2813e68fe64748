import type { Json } from '../../domain/index.ts'
import * as typing from '../../expressions/typing/index.ts'
import { httpsOrigin } from '../../formats/index.ts'
import type { ErrorRowDocument, ManifestDocument } from '../grammar/index.ts'
import type { PaginationDocument } from '../grammar/pagination.ts'
import type { FaultPlaces } from '../manifest/fault-places.ts'
import { checkAnswerCondition, checkTemplate } from './expressions.ts'
import { checkHeaders } from './sending.ts'
import { checkWords } from './words.ts'

const { any, objectOf, oneOf, text, textOf } = typing
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const statuses = Array.from({ length: 500 }, (_, at) => 100 + at)

/**
 * An answer as conditions see it. Nothing is known about the body, because there is no schema of
 * the vendor's.
 */
const answer: Readonly<Record<string, typing.Type>> = {
  status: { ...typing.integer, number: { integer: true, values: statuses } },
  headers: objectOf({}, 'open', typing.optional(text)),
  body: any,
  code: text,
  message: text,
}
const asked = { ...answer, method: oneOf(...methods), path: textOf({}) }

/** Reports what can never be true or never be found in a manifest. */
export function checkManifestTypes(document: ManifestDocument, places: FaultPlaces): void {
  checkRows(document.errors, ['errors'], places)
  checkSecrets(document, places)
  checkOrigins(document, places)
  for (const [at, { when }] of (document.test.warn ?? []).entries()) checkAnswerCondition(when, { body: any }, ['test', 'warn', at, 'when'], places)
  const { auth } = document
  if (auth.scheme === 'oauth2_client_credentials') {
    checkTokenUrl(auth.token_url, document.origins, places)
    checkAnswer(auth.expired, answer, ['auth', 'expired'], places)
    checkRows(auth.errors, ['auth', 'errors'], places)
  }
  for (const [name, { select }] of Object.entries(document.detect ?? {})) {
    const path = ['detect', name, 'select']
    const found = typing.fitOf(checkTemplate(select, { body: any }, path, places), typing.union(text, typing.number))
    if (found.fits === 'never') places.add(path, `it ${found.misfit.message}: a part of a path must be one text or number`)
  }
  if (document.role_from) checkPath(document.role_from.select, ['role_from', 'select'], places)
  checkHeaders(document.request?.headers, ['request', 'headers'], places)
  if (document.request?.paginate) checkPages(document.request.paginate, ['request', 'paginate'], places)
}

/** Reports secrets that people would enter for nothing: only `auth` may use secrets. */
function checkSecrets({ credentials, auth }: ManifestDocument, places: FaultPlaces): void {
  const used = new Set(credentialsIn(auth as unknown as Json))
  for (const [at, { name, secret }] of credentials.entries())
    if (secret && !used.has(name)) places.add(['credentials', at, 'name'], `nothing in \`auth\` uses the secret \`${name}\``)
}

/** Reports origins without a template that no request can go to, or whose path would be ignored. */
function checkOrigins({ origins }: ManifestDocument, places: FaultPlaces): void {
  for (const [at, origin] of origins.entries()) {
    if (origin.includes('{{') || httpsOrigin(origin) !== null) continue
    places.add(['origins', at], 'must be an HTTPS origin without a path, such as https://api.example.com; a path belongs in `request.base_path`')
  }
}

/** Reports a token endpoint that no request can go to, as far as that is known without a connection. */
function checkTokenUrl(address: string, origins: readonly string[], places: FaultPlaces): void {
  const path = ['auth', 'token_url']
  const [literal = ''] = address.split('{{', 1)
  const isWhole = literal === address
  // The host is known if its end is: a template after it can only be in the path or the query.
  if (!isWhole && !/^[a-z]+:\/\/[^/?#]+[/?#]/i.test(literal)) return
  const url = URL.parse(literal)
  if (url?.protocol !== 'https:') places.add(path, 'must be an HTTPS URL, such as https://auth.example.com/oauth/token')
  else if (!origins.some((origin) => origin.includes('{{')) && !origins.some((origin) => httpsOrigin(origin)?.origin === url.origin))
    places.add(path, `${url.origin} is not one of the \`origins\`, so no token could be requested; add it there`)
}

function credentialsIn(part: Json): readonly Json[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) => (key === 'credential' ? [value as Json] : credentialsIn(value as Json)))
}

function checkRows(rows: readonly ErrorRowDocument[] | undefined, path: readonly (string | number)[], places: FaultPlaces): void {
  for (const [at, { when }] of (rows ?? []).entries()) checkAnswer(when, asked, [...path, at, 'when'], places)
}

function checkAnswer(rule: Json, roots: Readonly<Record<string, typing.Type>>, path: readonly (string | number)[], places: FaultPlaces): void {
  checkAnswerCondition(rule, roots, path, places)
  checkWords(rule, path, places)
}

/** Checks the paths of a listing in the answer. */
export function checkPages(document: PaginationDocument, path: readonly (string | number)[], places: FaultPlaces): void {
  for (const key of ['items', 'next', 'more', 'total'] as const) {
    const value = key in document ? (document as Readonly<Record<string, unknown>>)[key] : undefined
    if (typeof value === 'string') checkPath(value, [...path, key], places)
  }
}

/** Checks that a path into an answer's body is written as one: members and indexes, separated by dots. */
function checkPath(value: string, path: readonly (string | number)[], places: FaultPlaces): void {
  const said = "a path has the names of members and the indexes of lists, separated by dots, and starts at the answer's body"
  if (/^\$|^\//.test(value) || /[[\]{}\s]/.test(value) || value.split('.').includes('')) places.add(path, `\`${value}\` is not a path: ${said}`)
  else if (/^body(\.|$)/.test(value)) places.add(path, `\`${value}\` begins with \`body\`: ${said}, so leave out \`body\``)
}
