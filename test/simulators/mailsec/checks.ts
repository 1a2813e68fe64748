import type { Reply } from '../faults.ts'
import { badRequest, unsupportedType } from './replies.ts'
import { type Call, isJson } from './route.ts'

/**
 * Returns what is wrong with a value, as the end of a sentence that starts with its name. Null if
 * nothing is wrong.
 */
export type Check = (value: unknown) => string | null

export const isTime: Check = (value) =>
  value === null || (typeof value === 'string' && !Number.isNaN(Date.parse(value))) ? null : 'must be an ISO 8601 time or null'
export const isBoolean: Check = (value) => (typeof value === 'boolean' ? null : 'must be true or false')
export const isText: Check = (value) => (typeof value === 'string' && value !== '' ? null : 'must be a text')
export const isTextOrNull: Check = (value) => (value === null || isText(value) === null ? null : 'must be a text or null')

export function isOneOf(words: readonly string[]): Check {
  return (value) => (words.some((word) => word === value) ? null : `must be one of ${words.join(', ')}`)
}

export function isListOf(check: Check, { least = 0, most = Number.POSITIVE_INFINITY } = {}): Check {
  return (value) => {
    if (!Array.isArray(value) || value.length < least || value.length > most) {
      if (least === 0 && most === Number.POSITIVE_INFINITY) return 'must be a list'
      return most === Number.POSITIVE_INFINITY ? `must be a list of at least ${least}` : `must be a list of ${least} to ${most}`
    }
    const faults = value.map((item) => check(item)).filter((fault) => fault !== null)
    return faults[0] === undefined ? null : `has an item that ${faults[0]}`
  }
}

export function isObjectOf(checks: Readonly<Record<string, Check>>, required: readonly string[] = []): Check {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object'
    const fault = fieldFault({ ...value }, checks, required)
    return fault === null ? null : `is wrong: ${fault}`
  }
}

/** Describes the first fault in the fields of an object. */
export function fieldFault(
  value: Readonly<Record<string, unknown>>,
  checks: Readonly<Record<string, Check>>,
  required: readonly string[] = [],
): string | null {
  for (const [name, given] of Object.entries(value)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined
    if (!check) return `The field ${name} is unknown.`
    const fault = check(given)
    if (fault !== null) return `${name} ${fault}.`
  }
  const missing = required.find((name) => value[name] === undefined)
  return missing === undefined ? null : `The field ${missing} is missing.`
}

function objectOf(body: string): Readonly<Record<string, unknown>> | string {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : 'The body must be an object.'
  } catch {
    return 'The body is not JSON.'
  }
}

/**
 * Answers a request whose body must be an object with exactly these fields.
 *
 * @param answer gets the body if every field is valid
 */
export function withBody<Body>(
  { request }: Call,
  checks: Readonly<Record<string, Check>>,
  required: readonly string[],
  answer: (body: Body) => Reply,
): Reply {
  if (!isJson(request)) return unsupportedType
  const value = objectOf(request.body)
  if (typeof value === 'string') return badRequest(value)
  if (Object.keys(value).length === 0) return badRequest('Nothing to change.')
  const fault = fieldFault(value, checks, required)
  return fault === null ? answer(value as Body) : badRequest(fault)
}
