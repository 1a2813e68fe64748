import type { Clock, Connection, Millis, OrganizationId } from '../../domain/index.ts'
import { durationText } from '../../formats/index.ts'
import { type Plugin, retryAfterOf, type SendResult, type StreamResult } from '../../plugin/index.ts'
import type { PermitSource, Rate, RateKey } from '../../rate-limit/index.ts'
import type { Deadline } from '../send/deadline.ts'
import { RateQueue } from './rate-queue.ts'

/** Beyond this many queues, those in which nobody waits are removed. */
const maxIdleQueues = 1_000
/** The longest time for which an answer 429 holds a key. After that the system is asked again. */
const longestHold: Millis = 3_600_000

/** After this many permits, a request may leave late: as soon as it has its connection. */
const mostTurns = 4
/** The least time for which a permit is valid. If the time between two permits is longer, that applies. */
const leastGood: Millis = 100

/** A request that wants to leave. */
export interface Leaving {
  readonly plugin: Plugin
  readonly connection: Connection
  /** Requests with the same key share one limit. */
  key(): RateKey
  /** For whom it leaves. Organizations take turns. Absent or null: for the owner of the connection. */
  readonly organization?: OrganizationId | null | undefined
  /** The lanes of an organization take turns. Each run is a lane, so runs are served fairly. */
  readonly lane: string
  readonly deadline: Deadline
  /** Opens a connection, so that the request can leave as soon as it has its permit. Never rejects. */
  readonly reach?: (deadline: Deadline) => Promise<void>
}

type NotSent = Exclude<SendResult, { effect: 'done' }>

/**
 * Keeps requests within the rate limit of their manifest, together with all processes that share
 * the permits (docs/decisions/0011, 0044).
 */
export class RateLimiter {
  readonly #clock: Clock
  readonly #permits: PermitSource
  readonly #queues = new Map<RateKey, RateQueue>()

  constructor(clock: Clock, permits: PermitSource) {
    this.#clock = clock
    this.#permits = permits
  }

  /**
   * Sends a request once it has its permit. The wait counts towards a read's time-out. A write
   * waits until its `sendBy` at most. A request that gets no permit in time is not sent and fails
   * as `rate_limited`. A request that has no connection soon after its permit is not sent late,
   * which would exceed the rate. It waits for another permit instead. An answer 429 holds the key
   * for as long as it says, or for one interval of the limit.
   * @param send gets the deadline with the time that is left
   */
  async send<Result extends SendResult | StreamResult>(leaving: Leaving, send: (deadline: Deadline) => Promise<Result>): Promise<Result | NotSent> {
    const { plugin, connection, organization, lane, deadline, reach } = leaving
    const limit = plugin.manifest.rateLimit
    if (limit === null) return send(deadline)
    const key = leaving.key()
    const queue = this.#queueOf(key, limit)
    const { timeout, sendBy, signal } = deadline
    const tenant = organization ?? connection.organization ?? ''
    const began = this.#clock.now()
    const left = (): Deadline =>
      sendBy === null ? { ...deadline, timeout: Math.max(timeout - Math.max(this.#clock.now() - began, 0), 1) } : deadline
    for (let turns = 1; ; turns += 1) {
      if (reach) await queue.arrive(() => reach(left()))
      const turn = await queue.enter({ tenant, lane }, sendBy ?? began + timeout, signal)
      if (!turn.ok) {
        if (turn.why === 'given_up') return { effect: 'not_sent', code: 'network', message: 'The call was abandoned.' }
        const message = `The request could not leave in time: ${await this.#obstacle(key, limit, connection)}.`
        return { effect: 'not_sent', code: 'rate_limited', message, retryAfter: Math.ceil(turn.retryAfter / 1_000) }
      }
      const good = Math.max(leastGood, limit.interval / limit.requests) * 2 ** (turns - 1)
      const result = await send({ ...left(), leaveBy: turns < mostTurns ? this.#clock.now() + good : null })
      if (result.effect !== 'done' && result.turnPassed) continue
      const answer = result.effect !== 'done' ? null : 'refusal' in result ? result.refusal : result.answer
      if (answer?.status === 429) {
        const asked = retryAfterOf(answer.headers)
        await this.#permits.hold(key, limit, asked === null ? limit.interval : Math.min(asked * 1_000, longestHold))
      }
      return result
    }
  }

  /** Returns what keeps the requests of a key from leaving: an answer 429, or the limit of the manifest. */
  async #obstacle(key: RateKey, limit: Rate, { instance }: Connection): Promise<string> {
    const held = await this.#permits.heldFor(key)
    if (held > 0)
      return `the system of the connection ${instance} answered 429 to an earlier request, so Tocsin asks it nothing for another ${Math.ceil(held / 1_000)} s`
    return `the rate limit of the connection ${instance} is ${limit.requests} requests in ${durationText(limit.interval)}`
  }

  #queueOf(key: RateKey, limit: Rate): RateQueue {
    const standing = this.#queues.get(key)
    if (standing) {
      standing.rate = limit
      return standing
    }
    if (this.#queues.size >= maxIdleQueues) for (const [other, queue] of this.#queues) if (queue.idle) this.#queues.delete(other)
    const queue = new RateQueue(this.#clock, this.#permits, key, limit)
    this.#queues.set(key, queue)
    return queue
  }
}
