import type { Reply } from '../faults.ts'

/**
 * Makes an error answer. The specification does not show error bodies; `{ error: { code, message }
 * }` is an assumption.
 */
export function refusal(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers, body: JSON.stringify({ error: { code, message } }) }
}

export function badRequest(message: string): Reply {
  return refusal(400, 'invalid_request', message)
}

export const headerMissing = refusal(401, 'authentication_header_missing', 'The x-vendor-client-secret header is required.')
export const unauthorized = refusal(401, 'unauthorized', 'The API token is invalid or was revoked.')
export const unsupportedType = refusal(415, 'unsupported_media_type', 'Send application/json.')
export const noSuchEndpoint = refusal(404, 'endpoint_not_found', 'There is no such endpoint.')

export function forbidden(role: string): Reply {
  return refusal(403, 'permission_denied', `The role ${role} does not allow this.`)
}

export function notFound(kind: string): Reply {
  return refusal(404, 'not_found', `There is no such ${kind}.`)
}

/** Answers 410 for something that no longer exists. */
export function gone(code: string, message: string): Reply {
  return refusal(410, code, message)
}

export const betaNotEnabled = refusal(403, 'beta_not_enabled', 'The beta API is not enabled for this tenant.')

export function methodNotAllowed(allowed: string): Reply {
  return refusal(405, 'method_not_allowed', `Use ${allowed}.`, { allow: allowed })
}

export function htmlPage(status: number, title: string): Reply {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
  }
}
