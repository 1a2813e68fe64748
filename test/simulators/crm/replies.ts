import type { Reply } from '../faults.ts'

/** One item of the error array of the REST API. */
export interface ApiError {
  readonly errorCode: string
  readonly message: string
  readonly fields?: readonly string[]
}

/** The error of a refused request. The router turns it into an answer. */
export class Refused extends Error {
  readonly status: number
  readonly error: ApiError

  constructor(status: number, errorCode: string, message: string, fields?: readonly string[]) {
    super(message)
    this.status = status
    this.error = { message, errorCode, ...(fields && { fields }) }
  }
}

const jsonType = { 'content-type': 'application/json;charset=UTF-8' }

export function json(value: unknown, status = 200, written = false): Reply {
  return { status, headers: jsonType, body: JSON.stringify(value), ...(written && { written }) }
}

export function refusal({ status, error }: Refused): Reply {
  return json([error], status)
}

export function errorReply(status: number, errorCode: string, message: string): Reply {
  return json([{ message, errorCode }], status)
}

/** Answers 204, as updates and deletions do. */
export function noContent(): Reply {
  return { status: 204, body: '', written: true }
}

/** Answers in the token endpoint's format: one object instead of an array. */
export function tokenRefusal(error: string, description: string, status = 400): Reply {
  return json({ error, error_description: description }, status)
}

export const sessionExpired = errorReply(401, 'INVALID_SESSION_ID', 'Session expired or invalid')
/**
 * Answers a valid token that REST never accepts. A client that asks for a new token because of it
 * never stops.
 */
export const notForRest = errorReply(401, 'INVALID_SESSION_ID', 'This session is not valid for use with the REST API')

export function noSuchResource(): Refused {
  return new Refused(404, 'NOT_FOUND', 'The requested resource does not exist')
}

export function methodNotAllowed(method: string, allowed: readonly string[]): Refused {
  return new Refused(405, 'METHOD_NOT_ALLOWED', `HTTP Method '${method}' not allowed. Allowed are ${allowed.join(',')}`)
}

export function malformed(message: string): Refused {
  return new Refused(400, 'MALFORMED_QUERY', message)
}

export function invalidField(message: string): Refused {
  return new Refused(400, 'INVALID_FIELD', message)
}

export function htmlPage(status: number, title: string): Reply {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
  }
}
