import { cutText, type Effect, type Json } from '../../domain/index.ts'
import { type ErrorCode, isTocsinError, registry } from '../../errors/index.ts'
import type { Condition, Context } from '../../expressions/index.ts'
import type { CallFailure } from '../call/call-result.ts'
import type { ErrorRow } from '../manifest/error-row.ts'
import { valueAt } from '../values.ts'
import { retryAfterOf } from './answer-times.ts'
import type { SendResult } from './send-result.ts'
import type { SkillAnswer } from './skill-answer.ts'

/** A failed call. Thrown inside `callSkill`, which catches it. */
export class CallFailed extends Error {
  readonly failure: CallFailure
  readonly effect: Effect
  /** The body of the answer, for callers that can use it. */
  readonly body: Json
  constructor(effect: Effect, failure: CallFailure, body: Json = null) {
    super(failure.message)
    this.effect = effect
    this.failure = failure
    this.body = body
  }
}

/** What an unsuccessful answer means. */
export interface Meaning {
  readonly code: string
  readonly cause: string
  readonly remedy: string
  readonly effect: 'none' | 'unknown'
  /** `role`: the credentials lack the permission for this call. */
  readonly lacks?: 'role' | undefined
}

/**
 * The parts of the answered request that error rows may read. If null, rows that name one of them
 * never match.
 */
export interface Asked {
  readonly method: string
  /** The path as in the skill, without base path and query. */
  readonly path: string
}

/**
 * Returns the first row that matches. A row whose condition cannot be evaluated does not match: what
 * it reads is often absent, for example if a proxy answered with a page. `code` and `message` are
 * the vendor's own, wherever the body has them, and empty strings if it has none.
 */
export function matchRow(rows: readonly ErrorRow[], answer: SkillAnswer, asked: Asked | null = null): Meaning | null {
  const context = { ...answerContext(answer), method: asked?.method ?? null, path: asked?.path ?? null }
  return rows.find(({ when }) => holds(when, context)) ?? null
}

/**
 * Returns whether an error row must see the body to decide about an answer. Then nobody can judge
 * the answer if its body cannot be read.
 */
export function bodyDecides(rows: readonly ErrorRow[], { status, headers }: SkillAnswer, asked: Asked | null): boolean {
  let looked = false
  const look = (): string => {
    looked = true
    return ''
  }
  const context: Context = {
    status,
    headers,
    method: asked?.method ?? null,
    path: asked?.path ?? null,
    get body() {
      return look()
    },
    get code() {
      return look()
    },
    get message() {
      return look()
    },
  }
  rows.find(({ when }) => holds(when, context) || looked)
  return looked
}

/** Returns what a condition over an answer may read. */
export function answerContext({ status, headers, body }: SkillAnswer): Context {
  return { status, headers, body, code: String(vendorCode(body) ?? ''), message: vendorWords(body) ?? '' }
}

/**
 * The names that a condition over an answer may read, and those that the condition of an error row
 * may read.
 */
export const answerScope = { status: null, headers: null, body: null, code: null, message: null }
export const rowScope = { ...answerScope, method: null, path: null }

/** Evaluates a condition. Returns false if it cannot be evaluated. */
export function holds(when: Condition, context: Context): boolean {
  try {
    return when.test(context)
  } catch (error) {
    if (isTocsinError(error) && error.code === 'condition_failed') return false
    throw error
  }
}

/** Why a request ended with 408 or 499. It may have been carried out all the same, or still be. */
const gaveUp = 'The external system, or a gateway in front of it, gave up waiting for the request.'

/** Returns what a status means if the manifest does not say. */
export function defaultMeaning(status: number): Meaning {
  if (status >= 500) return known('vendor_unavailable', 'unknown')
  if (status === 408 || status === 499) return { ...known('vendor_unavailable', 'unknown'), cause: gaveUp }
  if (status === 401) return known('credentials_rejected', 'none')
  if (status === 403) return { ...known('access_refused', 'none'), lacks: 'role' }
  if (status === 404) return known('not_found', 'none')
  if (status === 429) return known('rate_limited', 'none')
  if (status >= 400) return known('request_rejected', 'none')
  return known('answer_not_understood', 'unknown')
}

function known(code: ErrorCode, effect: Meaning['effect']): Meaning {
  return { code, cause: registry[code].cause, remedy: registry[code].remedy, effect }
}

/**
 * Makes a failure from an answer, with the vendor's own words and identifiers.
 * @param needs a sentence that names the permissions of the skill. It is added if the credentials lack a role
 */
export function failureOf(
  meaning: Pick<Meaning, 'code' | 'cause' | 'remedy' | 'lacks'>,
  answer: SkillAnswer,
  needs: string | null = null,
): CallFailure {
  const said = vendorWords(answer.body) ?? pageIn(answer) ?? redirectIn(answer)
  const cause = meaning.lacks === 'role' && needs !== null ? `${meaning.cause} ${needs}` : meaning.cause
  const retryAfter = retryAfterOf(answer.headers)
  return {
    code: meaning.code,
    message: said === null ? `${cause} (${answer.status})` : `${cause} (${answer.status}: ${said})`,
    remedy: meaning.remedy,
    retryAfter,
    vendor: { status: answer.status, ...vendorIds(answer), ...(retryAfter !== null && { retry_after: retryAfter }) },
  }
}

/** @param code a code of the registry, or one that only the host of the call knows */
export function failureFromCode(code: string, message: string): CallFailure {
  const remedy = Object.hasOwn(registry, code) ? registry[code as ErrorCode].remedy : null
  return { code, message, remedy, retryAfter: null }
}

/** Makes the failure for a request that was not sent or not answered. */
export function failureOfSending({
  code,
  message,
  retryAfter,
  remedy,
  vendor,
  turnedAway,
}: Exclude<SendResult, { readonly effect: 'done' }>): CallFailure {
  const known = failureFromCode(code, message)
  return {
    ...known,
    remedy: remedy ?? known.remedy,
    retryAfter: retryAfter ?? null,
    ...(vendor && { vendor }),
    ...(turnedAway && { turnedAway }),
  }
}

/**
 * How many characters at the beginning of a text tell its kind, and in how many the title of a page
 * is searched.
 */
const [lookedAt, searchedForTitle] = [1_024, 65_536]

/**
 * Says what is wrong with an answer that is a web page, or that is text where JSON is needed. The
 * cause may be a proxy, a sign-in page or a wrong base address. A page is never a success of an
 * API, even if the skill does not use the body. Null if nothing is wrong.
 */
export function notJson({ body, headers, fault }: SkillAnswer, readsBody: boolean): string | null {
  if (fault !== undefined && readsBody) return fault
  if (typeof body !== 'string' || body === '') return null
  const type = headers['content-type'] ?? ''
  const page = pageIn({ body, headers })
  if (page !== null)
    return `The answer is ${page}, not JSON: a proxy or a sign-in page answered instead of the system, or the address is not the API's.`
  if (!readsBody) return null
  const broken = /json/i.test(type) && /^\s*[[{"]/.test(body.slice(0, lookedAt))
  if (broken) return 'The answer claims to be JSON but cannot be parsed. It may have been cut off.'
  return /json/i.test(type) ? null : `The answer is ${type === '' ? 'plain text' : type}, not JSON.`
}

/** Describes an answer that is a web page, with its title. Null if it is not a page. */
function pageIn({ body, headers }: Pick<SkillAnswer, 'body' | 'headers'>): string | null {
  if (typeof body !== 'string' || body === '') return null
  const type = headers['content-type'] ?? ''
  // Proxies send a part of a page with the content type of the API. JSON never begins like that.
  const begins = /json/i.test(type) ? /^\s*</ : /^\s*<(!doctype|html)/i
  if (!/html/i.test(type) && !begins.test(withoutComments(body.slice(0, lookedAt)))) return null
  const title = /<title[^<>]{0,1000}>([^<]{1,100})/i.exec(body.slice(0, searchedForTitle))?.[1]?.trim()
  return title ? `the page "${shortened(title)}"` : 'a page'
}

function withoutComments(start: string): string {
  return start.replaceAll(/<!--[\s\S]*?-->/g, '')
}

/**
 * Describes where an answer redirects to, without query and fragment, which may contain a secret.
 * Null if the answer is not a redirect.
 */
function redirectIn({ status, headers: { location } }: SkillAnswer): string | null {
  if (status < 300 || status > 399 || location === undefined) return null
  return `a redirect to ${shortened(location.replace(/[?#].*$/, ''))}, which is not followed`
}

const messagePaths = [
  'error.message',
  'message',
  'error_description',
  'errorMsg',
  'error',
  'detail',
  'title',
  '0.message',
  'errors.0.message',
  'errors.0.detail',
]
const codePaths = [
  'error.code',
  'error.type',
  'error.status',
  'code',
  'error_code',
  'errorCode',
  'errorId',
  '0.errorCode',
  '0.code',
  'errors.0.code',
  'errors.0.errorCode',
]
const idHeaders = ['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid']
const idPaths = ['request_id', 'requestId', 'error.requestId', 'uniqueMsgId']

/** Returns the vendor's error message in one line, or null if there is none that people can read. */
function vendorWords(body: Json): string | null {
  if (typeof body === 'string') return body.length > 300 || body.trim() === '' || /[<>]/.test(body) ? null : shortened(body)
  const words = messagePaths.map((path) => valueAt(body, path)).find((value) => typeof value === 'string' && value.trim() !== '')
  return typeof words === 'string' ? shortened(words) : null
}

/**
 * Returns the vendor's error code, or null if there is none. A word says more than a number, which
 * often only repeats the status.
 */
function vendorCode(body: Json): string | number | null {
  const codes = codePaths.map((path) => valueAt(body, path)).filter((value) => isWord(value) || typeof value === 'number')
  const word = codes.find(isWord)
  if (word !== undefined) return word
  // In `{"error": "not_found", "message": "…"}`, a text of one word is a code.
  const error = valueAt(body, 'error')
  if (typeof error === 'string' && /^[A-Za-z][A-Za-z0-9]*([_.-][A-Za-z0-9]+)+$/.test(error)) return error
  const number = codes.find((value) => typeof value === 'number')
  return number ?? lastPartOfType(body)
}

function isWord(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

/** Returns the last part of `type`, which names the problem: in RFC 9457, `type` is a URL. */
function lastPartOfType(body: Json): string | null {
  const type = valueAt(body, 'type')
  return typeof type === 'string' ? (/^https?:\/\/[^\s?#]+\/([\w-]+)\/?$/.exec(type)?.[1] ?? null) : null
}

function vendorIds({ headers, body }: SkillAnswer): Readonly<Record<string, string | number>> {
  const code = vendorCode(body)
  const inBody = idPaths.map((path) => valueAt(body, path)).find((value) => typeof value === 'string')
  const id = idHeaders.map((name) => headers[name]).find((value) => value !== undefined) ?? inBody
  return {
    ...(code !== null && { code: typeof code === 'string' ? shortened(code) : code }),
    ...(typeof id === 'string' && { request_id: shortened(id) }),
  }
}

function shortened(text: string): string {
  return cutText(text.replaceAll(/\s+/g, ' ').trim(), 300)
}
