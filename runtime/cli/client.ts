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
 * @throws Refused for an answer other than 2xx; TocsinError `server_unreachable`, also if something else answers, such as a proxy
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
  await trust(target)
  try {
    response = await fetch(`${target.url}${path}`, {
      method,
      // Followed, a redirect would make a GET of a POST. Its answer would look like success, and nothing would have happened.
      redirect: 'manual',
      headers: { cookie: `Session=${target.key}`, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    text = await response.text()
  } catch (error) {
    throw await unreachable(target, method, error instanceof Error && error.cause !== undefined ? error.cause : error)
  }
  const answer = parse(text)
  if (response.status === 204) return {}
  if (response.ok) return answer === undefined ? somethingElse(target, 'The answer is no JSON.') : answer
  if (response.status < 400) somethingElse(target, `The answer is a redirect to ${response.headers.get('location') ?? 'nowhere'}.`)
  throw new Refused(response.status, answer ?? { detail: text.slice(0, 200) })
}

let trusting: readonly string[] | undefined

/** Once is enough: all requests of a command go to one Tocsin. */
async function trust({ ca }: Target): Promise<void> {
  if (ca === undefined || ca === trusting) return
  trusting = ca
  const { trustAlso } = await import('../egress/index.ts')
  trustAlso(ca)
}

/** Codes of a connection that ended, or fell silent, after it was there. */
const answerLost: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ECONNRESET', 'EPIPE'])

async function unreachable({ url }: Target, method: string, cause: unknown): Promise<TocsinError> {
  // Imported here, because most requests succeed and do not need it.
  const { describe, tlsFaultIn } = await import('../egress/index.ts')
  const said = cause instanceof Error ? describe(cause).replace(/\s+/g, ' ').trim() : messageOf(cause)
  const message = `${url}: ${said}`
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (method !== 'GET' && answerLost.has(code))
    return new TocsinError('server_unreachable', `${message}. No answer came, but Tocsin may have done what you asked for.`, [], {
      remedy: 'Look whether it did, before you ask again. An alert that has an --idempotency-key may be posted again.',
    })
  return new TocsinError('server_unreachable', message, [], tlsFaultIn(said) === null ? {} : { remedy: tlsRemedies.get(String(code)) ?? otherTls })
}

/** What to do about a failure of TLS, by its code. */
const tlsRemedies: ReadonlyMap<string, string> = new Map([
  ['CERT_HAS_EXPIRED', 'Renew the certificate of the proxy in front of Tocsin, and look at the clock of this machine.'],
  ['CERT_NOT_YET_VALID', 'Look at the clock of this machine, and at the certificate of the proxy in front of Tocsin.'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'Give --url with a host name that is in the certificate.'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'Give --url with http:// if Tocsin itself listens there. Only a proxy in front of it speaks https.'],
])
const otherTls = 'Set TOCSIN_CA_FILE to a PEM file with the certificate of the CA.'

/** Returns undefined for what is no JSON. The answer null is one: the value of a step may be null. */
function parse(text: string): Answer | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function somethingElse({ url }: Target, message: string): never {
  throw new TocsinError('server_unreachable', `${url}: ${message} Something other than Tocsin answers there, such as a proxy.`, [], {
    remedy: 'Give the address of Tocsin itself, as --url or TOCSIN_URL.',
  })
}

/** Yields all items of a listing. Reads it page by page. */
export async function* listAll(target: Target, path: string): AsyncGenerator<Answer> {
  let cursor: unknown = null
  do {
    const joiner = path.includes('?') ? '&' : '?'
    const page = await request(target, 'GET', cursor === null ? path : `${path}${joiner}cursor=${encodeURIComponent(String(cursor))}`)
    if (!Array.isArray(page['items'])) somethingElse(target, 'The answer is no list.')
    yield* page['items'] as Answer[]
    cursor = page['next_cursor'] ?? null
  } while (cursor !== null)
}
