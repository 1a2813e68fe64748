import type { Connection, Json, Millis } from '../../domain/index.ts'
import { isTocsinError } from '../../errors/index.ts'
import type { Plugin, SendResult } from '../../plugin/index.ts'
import { readAnswer } from '../answer/read-answer.ts'
import { createScrub } from '../answer/scrub.ts'
import type { TokenGrant } from '../auth/index.ts'
import { rateKeyOf } from '../rate/rate-key.ts'
import type { Deadline } from '../send/deadline.ts'
import { ownOrigins } from '../send/origins.ts'
import { secretsOf } from '../vault/secrets.ts'
import type { Asked, NotSent, TokenDeps, TokenSource } from './types.ts'

/**
 * The longest time-out of a token request. Token endpoints answer quickly or not at all, and
 * callers that wait for this request must have time to try themselves.
 */
const longestPatience: Millis = 15_000
const maxAnswer = 1024 * 1024
/** Statuses below 500 that say nothing about the credentials. */
const passing: ReadonlySet<number> = new Set([408, 425, 429])

const never = new AbortController().signal

/** Returns how to get tokens for a connection: at its rate limit, from its own origins only. */
export function tokenSource(deps: TokenDeps, plugin: Plugin, connection: Connection, grant: TokenGrant): TokenSource {
  const patience = Math.min(plugin.manifest.request.timeout, longestPatience)
  const deadline: Deadline = { timeout: patience, sendBy: null, signal: never }
  return {
    connection,
    patience,
    async ask() {
      let asked: Asked | null = null
      const result = await deps.limiter.send(
        { plugin, connection, key: () => rateKeyOf(deps.vault, plugin, connection), lane: 'token', deadline },
        async (left) => {
          const outcome = await request(deps, plugin, connection, grant, left)
          asked = outcome.asked
          return outcome.seen
        },
      )
      return asked ?? failed(result)
    },
  }
}

interface Outcome {
  readonly asked: Asked
  /** The answer as the rate limit sees it. */
  readonly seen: SendResult
}

async function request(
  { egress, vault, answers, route }: TokenDeps,
  plugin: Plugin,
  connection: Connection,
  grant: TokenGrant,
  deadline: Deadline,
): Promise<Outcome> {
  const secrets = secretsOf(vault, connection)
  const sent = async () => {
    const asking = grant.ask(connection.fields, secrets.read)
    const where = { origins: ownOrigins(plugin, connection), route: route(connection) }
    return egress.call({ ...asking, ...where, timeout: deadline.timeout, sendBy: null, maxAnswer }, deadline.signal)
  }
  let isAsked = true
  const result = await sent().catch((error: unknown) => {
    isAsked = false
    return notAsked(error)
  })
  const scrub = createScrub(secrets.opened)
  if (result.effect !== 'done') {
    const failure: NotSent = { ...result, effect: 'not_sent', message: `No access token: ${scrub.text(result.message)}` }
    return { asked: { ok: false, failure, how: isAsked ? 'failed' : 'not_asked' }, seen: failure }
  }
  const reading = answers.forCall(connection.organization ?? connection.id)
  const raw = await readAnswer(result.answer, createScrub([]), reading)
  const seen: SendResult = { effect: 'done', answer: { status: raw.status, headers: raw.headers, body: null } }
  const granted = grant.read(raw)
  if (granted) return { asked: { ok: true, granted }, seen }
  const { code, message, remedy, retryAfter, vendor } = grant.failure(
    await readAnswer(result.answer, createScrub([...secrets.opened, ...tokensIn(raw.body)]), reading),
  )
  const failure: NotSent = { effect: 'not_sent', code, message, remedy, ...(retryAfter !== null && { retryAfter }), ...(vendor && { vendor }) }
  return { asked: { ok: false, failure, how: raw.status < 500 && !passing.has(raw.status) ? 'refused' : 'failed' }, seen }
}

/** Turns an error from before the request into a failure. @throws any other error */
function notAsked(error: unknown): NotSent {
  if (isTocsinError(error)) return { effect: 'not_sent', code: error.code, message: error.message }
  if (error instanceof TypeError) return { effect: 'not_sent', code: 'connection_invalid', message: "The connection's address is not a valid URL." }
  throw error
}

/** Returns the failure of a request that got no permit in time, so the token endpoint was not asked. */
function failed(result: SendResult): Asked {
  if (result.effect === 'done') throw new Error('the rate limit answered by itself')
  return { ok: false, failure: { ...result, effect: 'not_sent' }, how: 'not_asked' }
}

/** Finds tokens in an answer that could not be used. They are secrets all the same. */
function tokensIn(body: Json): readonly string[] {
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([name, value]) => (/token$/.test(name) && typeof value === 'string' ? [value] : []))
}
