import type { Connection, Millis } from '../domain/index.ts'
import type { Plugin, SendResult, SkillAnswer, SkillRequest, StreamResult } from '../plugin/index.ts'
import { authScheme, type TokenGrant } from './auth/index.ts'
import type { Means } from './connected.ts'
import { type Deadline, type Departure, openRequest, sendRequest } from './send.ts'
import { type AccessToken, type TokenResult, tokenSource } from './tokens/index.ts'

/** Whose requests are sent. */
export interface Sending {
  readonly plugin: Plugin
  readonly connection: Connection
  /** Whose requests take turns with those of others: a run, or one call by hand. */
  readonly lane: string
  /** Of each request, all that it waits for included. */
  readonly deadline: Deadline
  /** The first request's access token is asked for anew, so that it proves the credentials. */
  readonly anew?: boolean
}

/** Sends requests with a connection's credentials, at its rate. */
export interface Sender {
  /** @param sendBy until when a write may leave; the deadline's if absent */
  send(request: SkillRequest, sendBy?: Millis | null): Promise<SendResult>
  stream(request: SkillRequest, maxBytes: number): Promise<StreamResult>
}

/** One way of sending a request: once its turn has come, and with its token. */
type Way<Result> = (departure: Departure) => Promise<Result>

/**
 * With an access token where the auth scheme uses them: when the answer says that the token is no longer good, it is renewed and the request
 * sent once more, but a write not after its `sendBy`: an answer that refuses a token says that nothing was done.
 */
export function createSender(means: Means, sending: Sending): Sender {
  const { plugin, connection, deadline } = sending
  const { egress, vault } = means
  const { grant } = authScheme(plugin.manifest)
  let anew = sending.anew ?? false
  const leave = <Result extends SendResult | StreamResult>(request: SkillRequest, until: Deadline, way: Way<Result>): Promise<Result | NotDone> => {
    if (grant === null || request.auth === 'none') return inTurn(means, sending, until, {}, way)
    const first = anew
    anew = false
    return withToken(means, sending, until, grant, first, way)
  }
  return {
    send(request, sendBy = deadline.sendBy) {
      return leave(request, { ...deadline, sendBy }, (departure) => sendRequest({ egress, vault, plugin, connection, request }, departure))
    },
    stream(request, maxBytes) {
      return leave(request, deadline, (departure) => openRequest({ egress, vault, plugin, connection, request }, departure, maxBytes))
    },
  }
}

type NotDone = Exclude<SendResult, { effect: 'done' }>

function inTurn<Result extends SendResult | StreamResult>(
  { limiter, clock }: Means,
  { plugin, connection, lane }: Sending,
  deadline: Deadline,
  more: Pick<Departure, 'token'>,
  way: Way<Result>,
): Promise<Result | NotDone> {
  return limiter.send({ plugin, connection, lane, deadline }, (left) => way({ ...left, ...more, now: clock.now() }))
}

async function withToken<Result extends SendResult | StreamResult>(
  means: Means,
  sending: Sending,
  deadline: Deadline,
  grant: TokenGrant,
  anew: boolean,
  way: Way<Result>,
): Promise<Result | NotDone> {
  const { plugin, connection } = sending
  const { clock } = means
  const source = tokenSource(means, plugin, connection, grant)
  const began = clock.now()
  /** A read's time-out includes every wait; a write may wait until its `sendBy`. */
  const left = (): Deadline => (deadline.sendBy === null ? { ...deadline, timeout: deadline.timeout - (clock.now() - began) } : deadline)
  const over = (): boolean => (deadline.sendBy === null ? left().timeout <= 0 : clock.now() > deadline.sendBy)
  const send = (token: AccessToken): Promise<Result | NotDone> => inTurn(means, sending, left(), { token }, way)
  const obtain = (newerThan: number, now: boolean): Promise<TokenResult> => means.tokens.obtain(source, { newerThan, anew: now }, left())

  const first = await obtain(0, anew)
  if (!first.ok) return first.failure
  const result = await send(first.token)
  const refusal = refusalIn(result)
  if (refusal === null || !grant.expired(refusal) || over()) return result
  const renewed = await obtain(first.token.version, false)
  if (!renewed.ok) return renewed.failure
  return over() ? result : send(renewed.token)
}

/** The answer that was read whole, where there is one. */
function refusalIn(result: SendResult | StreamResult): SkillAnswer | null {
  if (result.effect !== 'done') return null
  if ('refusal' in result) return result.refusal
  return 'clean' in result.answer ? null : result.answer
}
