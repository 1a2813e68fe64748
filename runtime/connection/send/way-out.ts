import type { SendResult, SkillRequest, StreamResult } from '../../plugin/index.ts'
import type { CallAnswers } from '../answer/call-answers.ts'
import { authScheme } from '../auth/index.ts'
import type { CallDeps } from '../call/deps.ts'
import { type TokenResult, tokenSource } from '../tokens/index.ts'
import type { Deadline } from './deadline.ts'
import { readBack, streamBack } from './read-back.ts'
import { sign } from './sign.ts'
import { timeLeftOf } from './time-left.ts'
import type { Departure, NotDone, Outgoing, Sender, Sending } from './types.ts'
import { withPermit } from './with-permit.ts'
import { withToken } from './with-token.ts'

/*
 * The one way out: the stages that every request to an external system passes, in order.
 *
 *   stage        function                                file
 *   render       renderRequest (or requestOf)            runtime/plugin/request/request.ts (a handler's: runtime/plugin/handler/service/asked-request.ts)
 *   detect       Detections.of                           runtime/connection/send/detections.ts
 *   token        withToken                               runtime/connection/send/with-token.ts
 *   rate limit   withPermit                              runtime/connection/send/with-permit.ts
 *   sign         sign                                    runtime/connection/send/sign.ts
 *   clear        sendUnlessPaused                        runtime/egress/send-unless-paused.ts
 *   send         Exchange (or StreamExchange)            runtime/egress/exchange.ts (runtime/egress/streamed/stream.ts)
 *   scrub        readBack (or streamBack)                runtime/connection/send/read-back.ts
 *   judge        judge                                   runtime/plugin/answer/judge.ts
 *
 * The skill's call renders a request before it comes here, and judges the answer afterwards (runtime/plugin/call/call.ts; for a handler
 * runtime/plugin/handler/service/service.ts). All stages in between are called below. Each can end the request; what it returns says whether anything
 * has left. A stage that takes `next` may run the stages after it again: `token` with a renewed token, `rate limit` with another permit, `clear` after
 * another pause check.
 */

/** Runs the stages from `detect` to `scrub` for the requests of one connection. */
export function createSender(deps: CallDeps, sending: Sending): Sender {
  const { plugin, connection, deadline, pauseCheck } = sending
  const { clock, egress, vault } = deps
  const route = deps.route(connection)
  const { grant } = authScheme(plugin.manifest)
  const source = grant && tokenSource(deps, plugin, connection, grant)
  const ask = (question: SkillRequest): Promise<SendResult> => questions(deps, sending).send(question)
  let anew = sending.anew ?? false

  const pass = async <Result extends SendResult | StreamResult>(
    request: SkillRequest,
    until: Deadline,
    last: (departure: Departure) => Promise<Result>,
  ): Promise<Result | NotDone> => {
    const time = timeLeftOf(until, clock)
    const obtain =
      source && request.auth !== 'none'
        ? (newerThan: number, now = false): Promise<TokenResult> => deps.tokens.obtain(source, { newerThan, anew: now }, time.left())
        : null
    if (obtain && anew) {
      anew = false
      const proved = await obtain(0, true)
      if (!proved.ok) return proved.failure
    }
    const detected = await deps.detections.of(plugin, connection, request, ask, time.left())
    if (!detected.ok) return detected.failure
    const permitted = (token: Departure['token'] = null): Promise<Result | NotDone> =>
      withPermit(deps, sending, token, time.left(), (left) => last({ ...left, token, detected: detected.values, now: clock.now() }))
    return grant && obtain ? withToken(grant, obtain, time, permitted) : permitted()
  }

  const read = async <Result>(way: (answers: CallAnswers) => Promise<Result>): Promise<Result> => {
    if (sending.answers) return way(sending.answers)
    const answers = deps.answers.forCall(connection.organization ?? connection.id)
    return way(answers).finally(() => answers.leave())
  }

  return {
    send(request, sendBy = deadline.sendBy) {
      const timeout = sendBy === null ? deadline.timeout : (sending.writeTimeout ?? deadline.timeout)
      return pass(request, { ...deadline, timeout, sendBy }, (departure) =>
        read((answers) => sendRequest({ egress, vault, plugin, connection, route, request, pauseCheck, answers }, departure)),
      )
    },
    stream(request, maxBytes) {
      return pass(request, deadline, (departure) =>
        read((answers) => openRequest({ egress, vault, plugin, connection, route, request, pauseCheck, answers }, departure, maxBytes)),
      )
    },
  }
}

/**
 * Runs the stages from `sign` to `scrub`: sends one request once. Never rejects because of the
 * system or the network.
 */
export async function sendRequest(outgoing: Outgoing, departure: Departure): Promise<SendResult> {
  const signed = sign(outgoing, departure, outgoing.plugin.manifest.request.maxAnswer)
  if ('effect' in signed) return signed
  const result = await outgoing.egress.call(signed.outbound, departure.signal)
  if (result.effect !== 'done') return { ...result, message: signed.scrub().text(result.message) }
  const back = await readBack(signed, result.answer, outgoing.answers, departure.signal)
  return back.ok ? { effect: 'done', answer: back.answer } : back.failure
}

/** Like `sendRequest`, for a read whose answer is used as it arrives. */
export async function openRequest(outgoing: Outgoing, departure: Departure, maxBytes: number): Promise<StreamResult> {
  const signed = sign(outgoing, departure, maxBytes)
  if ('effect' in signed) return signed
  const result = await outgoing.egress.open(signed.outbound, departure.signal)
  if (result.effect !== 'done') return { ...result, message: signed.scrub().text(result.message) }
  return streamBack(signed, result.answer, outgoing.plugin.manifest.request.maxAnswer, outgoing.answers, departure.signal)
}

const never = new AbortController().signal

/**
 * Sends the questions of `detect`. All callers share the answer, so a question has a time-out of
 * its own, not that of the first caller.
 */
function questions(deps: CallDeps, { plugin, connection }: Sending): Sender {
  return createSender(deps, {
    plugin,
    connection,
    lane: 'detect',
    deadline: { timeout: plugin.manifest.request.timeout, sendBy: null, signal: never },
  })
}
