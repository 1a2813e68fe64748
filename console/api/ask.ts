import { serverIsAway } from './away.ts'
import { answerInTime } from './late-changes.ts'
import { Refused, sessionEnded, unreachable } from './refused.ts'
import { remedyHere } from './remedies.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * Calls the API of the page's own server. The browser adds the cookie with the key. Everything but GET is a change: if its answer takes long,
 * the page says so.
 * @returns the body; undefined if there is none
 * @throws Refused with the API's problem document, or with status 0 if there was no answer
 */
export function ask<Answer>(method: Method, path: string, body?: object, signal?: AbortSignal): Promise<Answer> {
  if (method === 'GET') return bodyOf({ method, path, changes: false, body, signal })
  return answerInTime(path, bodyOf<Answer>({ method, path, changes: true, body, signal }))
}

/** Like `ask`, for a POST that changes nothing, such as a check of a text. Its answer may take as long as the work takes. */
export function look<Answer>(path: string, body?: object, signal?: AbortSignal): Promise<Answer> {
  return bodyOf({ method: 'POST', path, changes: false, body, signal })
}

interface Request {
  readonly method: Method
  readonly path: string
  /** Whether it may change something. */
  readonly changes: boolean
  readonly body?: object | undefined
  readonly signal?: AbortSignal | undefined
}

async function bodyOf<Answer>(request: Request): Promise<Answer> {
  const response = await answerOf(request)
  if (response.status === 204) return undefined as Answer
  return (await response.json().catch((error: unknown) => {
    if (request.signal?.aborted) throw error
    throw unreachable(error, request.changes)
  })) as Answer
}

/** Like `ask`, for an answer that is a file. */
export async function askFile(path: string): Promise<Blob> {
  const response = await answerOf({ method: 'GET', path, changes: false })
  return response.blob().catch((error: unknown) => {
    throw unreachable(error, false)
  })
}

async function answerOf({ method, path, changes, body, signal }: Request): Promise<Response> {
  const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(path, { method, headers, body: body ? JSON.stringify(body) : null, signal: signal ?? null }).catch(
    (error: unknown) => {
      if (signal?.aborted) throw error
      serverIsAway(true)
      throw unreachable(error, changes)
    },
  )
  serverIsAway(response.status === 502 || response.status === 504)
  if (response.ok) return response
  const problem: unknown = await response.json().catch(() => null)
  if (isProblem(problem)) {
    const refused = new Refused({ ...problem, remedy: remedyHere(problem.remedy) })
    throw response.status === 401 && path.startsWith('/platformapi/') ? sessionEnded(refused) : refused
  }
  throw unreachable(`${response.status} ${response.statusText}`, changes)
}

function isProblem(value: unknown): value is Refused['problem'] {
  return typeof value === 'object' && value !== null && 'code' in value && 'remedy' in value && 'detail' in value
}
