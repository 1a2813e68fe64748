import { Refused, unreachable } from './refused.ts'

/**
 * Calls the API of the page's own server. The browser adds the cookie with the key.
 * @returns the body; undefined if there is none
 * @throws Refused with the API's problem document, or with status 0 if there was no answer
 */
export async function ask<Answer>(method: 'GET' | 'POST', path: string, body?: object, signal?: AbortSignal): Promise<Answer> {
  const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(path, { method, headers, body: body ? JSON.stringify(body) : null, signal: signal ?? null }).catch(
    (error: unknown) => {
      throw signal?.aborted ? error : unreachable(error)
    },
  )
  if (response.status === 204) return undefined as Answer
  const answered: unknown = await response.json().catch(() => null)
  if (response.ok) return answered as Answer
  throw isProblem(answered) ? new Refused(answered) : unreachable(`${response.status} ${response.statusText}`)
}

function isProblem(value: unknown): value is Refused['problem'] {
  return typeof value === 'object' && value !== null && 'code' in value && 'remedy' in value && 'detail' in value
}
