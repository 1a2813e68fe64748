import { messageOf, TocsinError } from '../errors/index.ts'
import type { Target } from './target.ts'

export { findTarget, type Reach, type Target } from './target.ts'

/** A JSON object as the API answers it. */
export type Answer = Readonly<Record<string, unknown>>

/** An answer of the API other than 2xx, with its problem document. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number
  readonly problem: Answer

  constructor(status: number, problem: Answer) {
    super(String(problem['detail'] ?? problem['title'] ?? `status ${status}`))
    this.status = status
    this.problem = problem
  }
}

/**
 * Sends one request to the platform API, as any client would.
 * @throws Refused for an answer other than 2xx; TocsinError `server_unreachable`
 */
export async function request(
  target: Target,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  let response: Response
  let text: string
  try {
    response = await fetch(`${target.url}${path}`, {
      method,
      headers: { cookie: `Session=${target.key}`, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    text = await response.text()
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error)
    throw new TocsinError('server_unreachable', `${target.url}: ${cause}`)
  }
  const answer = parse(text)
  if (!response.ok) throw new Refused(response.status, answer)
  return answer
}

function parse(text: string): Answer {
  if (text === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return { detail: text.slice(0, 200) }
  }
}

/** Yields all items of a listing. Reads it page by page. */
export async function* listAll(target: Target, path: string): AsyncGenerator<Answer> {
  let cursor: unknown = null
  do {
    const joiner = path.includes('?') ? '&' : '?'
    const page = await request(target, 'GET', cursor === null ? path : `${path}${joiner}cursor=${encodeURIComponent(String(cursor))}`)
    yield* page['items'] as Answer[]
    cursor = page['next_cursor'] ?? null
  } while (cursor !== null)
}
