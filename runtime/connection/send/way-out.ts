import type { Clock, Connection, Millis } from '../../domain/index.ts'
import type { PauseCheck } from '../../egress/index.ts'
import type { PaceKey } from '../../pace/index.ts'
import type { Plugin, SendResult, SkillAnswer, SkillRequest, StreamResult } from '../../plugin/index.ts'
import type { CallAnswers } from '../answer/call-answers.ts'
import { authScheme, type TokenGrant } from '../auth/index.ts'
import type { Means } from '../call/means.ts'
import { rateKeyOf } from '../rate/rate-key.ts'
import { type AccessToken, type TokenResult, tokenSource } from '../tokens/index.ts'
import type { Deadline } from './deadline.ts'
import { derivedOrigins, ownOrigins } from './origins.ts'
import { type Departure, openRequest, sendRequest } from './sign.ts'

/** Whose requests are sent. */
export interface Sending {
  readonly plugin: Plugin
  readonly connection: Connection
  /** Whose requests take turns with those of others: a run, or one call by hand. */
  readonly lane: string
  /** Of each request, all that it waits for included. */
  readonly deadline: Deadline
  /** Of a request that may change something, in place of the deadline's; absent where it only reads. */
  readonly writeTimeout?: Millis
  /** What its writes ask before they leave; absent where it only reads. */
  readonly pauseCheck?: PauseCheck
  /** Of the call that its requests belong to; absent: of each request alone. */
  readonly answers?: CallAnswers
  /** The first request's access token is asked for anew, so that it proves the credentials. */
  readonly anew?: boolean
}

/** Sends requests with a connection's credentials, at its rate. */
export interface Sender {
  /** @param sendBy until when a write may leave; the deadline's if absent */
  send(request: SkillRequest, sendBy?: Millis | null): Promise<SendResult>
  stream(request: SkillRequest, maxBytes: number): Promise<StreamResult>
}

type NotDone = Exclude<SendResult, { effect: 'done' }>

/** One way of sending a request, once its turn has come. */
type Way<Result> = (departure: Departure) => Promise<Result>

/**
 * Requests go with what the base path needs to know of the system, and with an access token where the auth scheme uses them. When the answer says
 * that the token is no longer good, it is renewed and the request sent once more, but a write not after its `sendBy`: an answer
 * that refuses a token says that nothing was done.
 */
export function createSender(means: Means, sending: Sending): Sender {
  const { plugin, connection, deadline, pauseCheck } = sending
  const { egress, vault } = means
  const { grant } = authScheme(plugin.manifest)
  const source = grant && tokenSource(means, plugin, connection, grant)
  const ask = (question: SkillRequest): Promise<SendResult> => questions(means, sending).send(question)
  let anew = sending.anew ?? false

  const leave = async <Result extends SendResult | StreamResult>(
    request: SkillRequest,
    until: Deadline,
    way: Way<Result>,
  ): Promise<Result | NotDone> => {
    const time = timeOf(until, means.clock)
    const obtain =
      source && request.auth !== 'none'
        ? (newerThan: number, now = false): Promise<TokenResult> => means.tokens.obtain(source, { newerThan, anew: now }, time.left())
        : null
    if (obtain && anew) {
      anew = false
      const proved = await obtain(0, true)
      if (!proved.ok) return proved.failure
    }
    const detected = await means.detections.of(plugin, connection, request, ask, time.left())
    if (!detected.ok) return detected.failure
    const send = (token: AccessToken | null): Promise<Result | NotDone> =>
      inTurn(means, sending, time.left(), { token, detected: detected.values }, way)
    return grant && obtain ? withToken(grant, obtain, send, time) : send(null)
  }

  const read = async <Result>(way: (answers: CallAnswers) => Promise<Result>): Promise<Result> => {
    if (sending.answers) return way(sending.answers)
    const answers = means.answers.forCall(connection.organization ?? connection.id)
    return way(answers).finally(() => answers.leave())
  }

  return {
    send(request, sendBy = deadline.sendBy) {
      const timeout = sendBy === null ? deadline.timeout : (sending.writeTimeout ?? deadline.timeout)
      return leave(request, { ...deadline, timeout, sendBy }, (departure) =>
        read((answers) => sendRequest({ egress, vault, plugin, connection, request, pauseCheck, answers }, departure)),
      )
    },
    stream(request, maxBytes) {
      return leave(request, deadline, (departure) =>
        read((answers) => openRequest({ egress, vault, plugin, connection, request, pauseCheck, answers }, departure, maxBytes)),
      )
    },
  }
}

interface Time {
  /** A read's time-out includes every wait; a write may wait until its `sendBy`. */
  left(): Deadline
  over(): boolean
}

function timeOf(deadline: Deadline, clock: Clock): Time {
  const began = clock.now()
  const left = (): Deadline => (deadline.sendBy === null ? { ...deadline, timeout: Math.max(deadline.timeout - (clock.now() - began), 0) } : deadline)
  return { left, over: () => (deadline.sendBy === null ? left().timeout === 0 : clock.now() > deadline.sendBy) }
}

const never = new AbortController().signal

/** How something is found out for everybody: not in the time of who wants to know it first. */
function questions(means: Means, { plugin, connection }: Sending): Sender {
  return createSender(means, {
    plugin,
    connection,
    lane: 'detect',
    deadline: { timeout: plugin.manifest.request.timeout, sendBy: null, signal: never },
  })
}

function inTurn<Result extends SendResult | StreamResult>(
  { limiter, clock, vault, egress }: Means,
  { plugin, connection, lane }: Sending,
  deadline: Deadline,
  more: Pick<Departure, 'token' | 'detected'>,
  way: Way<Result>,
): Promise<Result | NotDone> {
  const key = (): PaceKey => rateKeyOf(vault, plugin, connection)
  const reach = ({ timeout, signal }: Deadline): Promise<void> => {
    const origins = originsOf(plugin, connection, more.token?.members ?? {})
    return origins.length === 0 ? Promise.resolve() : egress.reach({ url: new URL(origins[0] ?? ''), origins, timeout }, signal)
  }
  return limiter.send({ plugin, connection, key, lane, deadline, reach }, (left) => way({ ...left, ...more, now: clock.now() }))
}

/** Where a request most likely goes; none when that is not known, which the request then says. */
function originsOf(plugin: Plugin, connection: Connection, members: AccessToken['members']): readonly string[] {
  try {
    const own = ownOrigins(plugin, connection)
    const derived = derivedOrigins(plugin, members, own)
    return derived.ok ? [...derived.origins, ...own] : []
  } catch {
    return []
  }
}

async function withToken<Result extends SendResult | StreamResult>(
  grant: TokenGrant,
  obtain: (newerThan: number) => Promise<TokenResult>,
  send: (token: AccessToken) => Promise<Result | NotDone>,
  time: Time,
): Promise<Result | NotDone> {
  const first = await obtain(0)
  if (!first.ok) return first.failure
  const result = await send(first.token)
  const refusal = refusalIn(result)
  if (refusal === null || !grant.expired(refusal) || time.over()) return result
  const renewed = await obtain(first.token.version)
  return renewed.ok ? send(renewed.token) : renewed.failure
}

/** The answer that was read whole, where there is one. */
function refusalIn(result: SendResult | StreamResult): SkillAnswer | null {
  if (result.effect !== 'done') return null
  if ('refusal' in result) return result.refusal
  return 'clean' in result.answer ? null : result.answer
}
