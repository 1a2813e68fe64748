import type { Reply } from '../faults.ts'

/**
 * Makes an error answer. The vendor does not document error bodies. The gateway answers `{ message
 * }`, and so do we.
 */
export function refusal(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers, body: JSON.stringify({ message }) }
}

export function badRequest(message: string): Reply {
  return refusal(400, message)
}

export const unauthorized = refusal(401, 'Unauthorized')
/** The answer to a valid key that may not do this. */
export const forbidden = refusal(403, 'Forbidden')
/** The gateway's answer to unknown paths and methods, with any key. */
export const noSuchEndpoint = refusal(403, 'Missing Authentication Token')
export const unsupportedType = refusal(415, 'Unsupported Media Type')

export function tooMany(retryAfter: number | null): Reply {
  return refusal(429, 'Too Many Requests', retryAfter === null ? {} : { 'retry-after': String(retryAfter) })
}

export function notFound(kind: string): Reply {
  return refusal(404, `There is no such ${kind}.`)
}

export function htmlPage(status: number, title: string): Reply {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
  }
}

export function json(value: unknown, written = false): Reply {
  return { status: 200, body: JSON.stringify(value), ...(written && { written }) }
}
