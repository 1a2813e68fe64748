import { serverIsAway } from './away.ts'
import { Refused, sessionEnded, unreachable } from './refused.ts'
import { remedyHere } from './remedies.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * Calls the API of the page's own server. The browser adds the cookie with the key.
 * @returns the body; undefined if there is none
 * @throws Refused with the API's problem document, or with status 0 if there was no answer
 */
export async function ask<Answer>(method: Method, path: string, body?: object, signal?: AbortSignal): Promise<Answer> {
  const response = await answerOf(method, path, body, signal)
  if (response.status === 204) return undefined as Answer
  return (await response.json().catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw unreachable(error, method !== 'GET')
  })) as Answer
}

/** Like `ask`, for an answer that is a file. */
export async function askFile(path: string): Promise<Blob> {
  const response = await answerOf('GET', path)
  return response.blob().catch((error: unknown) => {
    throw unreachable(error, false)
  })
}

async function answerOf(method: Method, path: string, body?: object, signal?: AbortSignal): Promise<Response> {
  const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(path, { method, headers, body: body ? JSON.stringify(body) : null, signal: signal ?? null }).catch(
    (error: unknown) => {
      if (signal?.aborted) throw error
      serverIsAway(true)
      throw unreachable(error, method !== 'GET')
    },
  )
  serverIsAway(response.status === 502 || response.status === 504)
  if (response.ok) return response
  const problem: unknown = await response.json().catch(() => null)
  if (isProblem(problem)) {
    const refused = new Refused({ ...problem, remedy: remedyHere(problem.remedy) })
    throw response.status === 401 && path.startsWith('/platformapi/') ? sessionEnded(refused) : refused
  }
  throw unreachable(`${response.status} ${response.statusText}`, method !== 'GET')
}

function isProblem(value: unknown): value is Refused['problem'] {
  return typeof value === 'object' && value !== null && 'code' in value && 'remedy' in value && 'detail' in value
}
