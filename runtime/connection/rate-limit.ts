import type { Clock, Connection, ConnectionId, Millis } from '../domain/index.ts'
import type { Pace, Rate } from '../pace/index.ts'
import { type Plugin, retryAfterOf, type SendResult, type StreamResult } from '../plugin/index.ts'
import { Gate } from './gate.ts'
import type { Deadline } from './send.ts'

/** Gates that nobody waits at are forgotten beyond this many. */
const maxIdleGates = 1_000
/** No answer holds a connection for longer; after that the system is asked again. */
const longestHold: Millis = 3_600_000

/** One request that wants to leave. */
export interface Leaving {
  readonly plugin: Plugin
  readonly connection: Connection
  /** Requests of one lane take turns with those of others: the run, so that runs are served fairly. */
  readonly lane: string
  readonly deadline: Deadline
}

/** Keeps connections to the rate limit of their manifest, with all that share the pace (docs/decisions/0011). */
export class RateLimiter {
  readonly #clock: Clock
  readonly #pace: Pace
  readonly #gates = new Map<ConnectionId, Gate>()

  constructor(clock: Clock, pace: Pace) {
    this.#clock = clock
    this.#pace = pace
  }

  /**
   * Sends a request when it is its turn. The wait counts against a read's time-out; a write waits until its `sendBy` at most. A request
   * whose turn does not come in time is not sent, and fails as `rate_limited`. An answer 429 holds the connection for as long as
   * it says, else for one interval of the limit.
   * @param send is given the deadline that is left
   */
  async send<Result extends SendResult | StreamResult>(
    { plugin, connection, lane, deadline }: Leaving,
    send: (deadline: Deadline) => Promise<Result>,
  ): Promise<Result | Exclude<SendResult, { effect: 'done' }>> {
    const limit = plugin.manifest.rateLimit
    if (limit === null) return send(deadline)
    const gate = this.#gateOf(connection.id, limit)
    const { timeout, sendBy, signal } = deadline
    const began = this.#clock.now()
    const turn = await gate.enter(lane, sendBy ?? began + timeout, signal)
    if (!turn.ok) {
      if (turn.why === 'given_up') return { effect: 'not_sent', code: 'network', message: 'The call was given up.' }
      const message = `No turn in time: the connection ${connection.instance} may send ${limit.requests} requests in ${limit.interval} ms.`
      return { effect: 'not_sent', code: 'rate_limited', message, retryAfter: Math.ceil(turn.retryAfter / 1_000) }
    }
    const waited = Math.max(this.#clock.now() - began, 0)
    const result = await send(sendBy === null ? { ...deadline, timeout: Math.max(timeout - waited, 1) } : deadline)
    const answer = result.effect !== 'done' ? null : 'refusal' in result ? result.refusal : result.answer
    if (answer?.status === 429) {
      const asked = retryAfterOf(answer.headers)
      await this.#pace.hold(connection.id, limit, asked === null ? limit.interval : Math.min(asked * 1_000, longestHold))
    }
    return result
  }

  #gateOf(id: ConnectionId, limit: Rate): Gate {
    const standing = this.#gates.get(id)
    if (standing) {
      standing.rate = limit
      return standing
    }
    if (this.#gates.size >= maxIdleGates) for (const [other, gate] of this.#gates) if (gate.idle) this.#gates.delete(other)
    const gate = new Gate(this.#clock, this.#pace, id, limit)
    this.#gates.set(id, gate)
    return gate
  }
}
