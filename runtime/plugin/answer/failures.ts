import type { Effect, Json } from '../../domain/index.ts'
import { type ErrorCode, isTocsinError, registry } from '../../errors/index.ts'
import type { Condition, Context } from '../../expressions/index.ts'
import type { CallFailure } from '../call/call-result.ts'
import type { ErrorRow } from '../manifest/error-row.ts'
import { valueAt } from '../values.ts'
import type { SendResult } from './send-result.ts'
import type { SkillAnswer } from './skill-answer.ts'

/** A failed call, on its way out of `callSkill`. */
export class CallFailed extends Error {
  readonly failure: CallFailure
  readonly effect: Effect
  /** Of the answer, for whoever can make something of it. */
  readonly body: Json
  constructor(effect: Effect, failure: CallFailure, body: Json = null) {
    super(failure.message)
    this.effect = effect
    this.failure = failure
    this.body = body
  }
}

/** What an answer that is no success means. */
export interface Meaning {
  readonly code: string
  readonly cause: string
  readonly remedy: string
  readonly effect: 'none' | 'unknown'
  /** `role`: the credentials may not do this. */
  readonly lacks?: 'role' | undefined
}

/** Of the request that was answered, what an error row may look at; null when nobody knows, which no row that names it fits. */
export interface Asked {
  readonly method: string
  /** As the skill has it, below the base path and without the query. */
  readonly path: string
}

/**
 * The first row that fits. A row that cannot be decided over this answer does not fit: what a row looks at is often absent, for example
 * when a proxy answered with a page. `code` and `message` are the vendor's own, wherever the body has them, and empty texts where it has none.
 */
export function matchRow(rows: readonly ErrorRow[], answer: SkillAnswer, asked: Asked | null = null): Meaning | null {
  const context = { ...answerContext(answer), method: asked?.method ?? null, path: asked?.path ?? null }
  return rows.find(({ when }) => holds(when, context)) ?? null
}

/** What a condition over an answer may look at. */
export function answerContext({ status, headers, body }: SkillAnswer): Context {
  return { status, headers, body, code: String(vendorCode(body) ?? ''), message: vendorWords(body) ?? '' }
}

/** The names that a condition over an answer may look at, and the condition of an error row. */
export const answerScope = { status: null, headers: null, body: null, code: null, message: null }
export const rowScope = { ...answerScope, method: null, path: null }

/** Whether a condition holds; one that cannot be decided does not. */
export function holds(when: Condition, context: Context): boolean {
  try {
    return when.test(context)
  } catch (error) {
    if (isTocsinError(error) && error.code === 'condition_failed') return false
    throw error
  }
}

/** What a status means where the manifest does not say. */
export function defaultMeaning(status: number): Meaning {
  if (status >= 500) return known('vendor_unavailable', 'unknown')
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
 * The failure that an answer is, with the vendor's own words and identifiers.
 * @param needs a sentence on what the skill needs; said where the credentials lack a role
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

/** @param code the registry's, or one of a host that the registry does not know */
export function failureFromCode(code: string, message: string): CallFailure {
  const remedy = Object.hasOwn(registry, code) ? registry[code as ErrorCode].remedy : null
  return { code, message, remedy, retryAfter: null }
}

/** The failure of a request that was not answered, or never sent. */
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

/** Characters at the beginning of a text that say what it is, and in which the title of a page is looked for. */
const [lookedAt, searchedForTitle] = [1_024, 65_536]

/**
 * What is wrong with an answer that is a page, or a text where JSON is read: a proxy, a sign-in, a page address as base address. A page is
 * never an API's success, even if the skill does not look at the body. Null when nothing is wrong.
 */
export function notJson({ body, headers, fault }: SkillAnswer, readsBody: boolean): string | null {
  if (fault !== undefined && readsBody) return fault
  if (typeof body !== 'string' || body === '') return null
  const type = headers['content-type'] ?? ''
  const page = pageIn({ body, headers })
  if (page !== null) return `The answer is ${page}, not JSON: a proxy or a sign-in answered in the system's place, or the address is not the API's.`
  if (!readsBody) return null
  const broken = /json/i.test(type) && /^\s*[[{"]/.test(body.slice(0, lookedAt))
  if (broken) return 'The answer says that it is JSON and cannot be read; it may have been cut.'
  return /json/i.test(type) ? null : `The answer is ${type === '' ? 'a text' : type}, not JSON.`
}

/** That an answer is a page, with its title; null where it is none. */
function pageIn({ body, headers }: Pick<SkillAnswer, 'body' | 'headers'>): string | null {
  if (typeof body !== 'string' || body === '') return null
  if (!/html/i.test(headers['content-type'] ?? '') && !/^\s*<(!doctype|html)/i.test(withoutComments(body.slice(0, lookedAt)))) return null
  const title = /<title[^<>]{0,1000}>([^<]{1,100})/i.exec(body.slice(0, searchedForTitle))?.[1]?.trim()
  return title ? `the page "${shortened(title)}"` : 'a page'
}

function withoutComments(start: string): string {
  return start.replaceAll(/<!--[\s\S]*?-->/g, '')
}

/** Where an answer redirects to, without query and fragment, which may hold a secret. Null: the answer is not a redirect. */
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

/** What the vendor says is wrong, in one line; null where it says nothing readable. */
function vendorWords(body: Json): string | null {
  if (typeof body === 'string') return body.length > 300 || body.trim() === '' || /[<>]/.test(body) ? null : shortened(body)
  const words = messagePaths.map((path) => valueAt(body, path)).find((value) => typeof value === 'string' && value.trim() !== '')
  return typeof words === 'string' ? shortened(words) : null
}

/** The vendor's word or number for what is wrong; null where it has none. A word tells more than a number, which often repeats the status. */
function vendorCode(body: Json): string | number | null {
  const codes = codePaths.map((path) => valueAt(body, path)).filter((value) => isWord(value) || typeof value === 'number')
  const word = codes.find(isWord)
  if (word !== undefined) return word
  // `{"error": "not_found", "message": "…"}`: a text of one word is a code.
  const error = valueAt(body, 'error')
  if (typeof error === 'string' && /^[A-Za-z][A-Za-z0-9]*([_.-][A-Za-z0-9]+)+$/.test(error)) return error
  const number = codes.find((value) => typeof value === 'number')
  return number ?? lastPartOfType(body)
}

function isWord(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

/** RFC 9457: `type` is an address, whose last part names the problem. */
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
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 300 ? `${line.slice(0, 300)}…` : line
}

/** Seconds that an answer asks to wait. A date is taken relative to the answer's own `Date`, so that no clock is asked. */
export function retryAfterOf(headers: Readonly<Record<string, string>>): number | null {
  const text = headers['retry-after']?.trim()
  if (text === undefined) return null
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const seconds = Math.ceil((Date.parse(text) - Date.parse(headers['date'] ?? '')) / 1_000)
  return Number.isNaN(seconds) ? null : Math.max(seconds, 0)
}
