/** Rate limits that all processes of an installation share, counted in Redis. */

import type { Clock, Millis } from '../../domain/index.ts'
import { Connection } from '../../redis/index.ts'
import { LocalPermitSource } from '../local.ts'
import { ahead, type PermitSource, type Permits, type Rate, type RateKey } from '../port.ts'
import { microsOf, slackOf, spacingOf } from '../schedule.ts'
import { SharedPermitSource } from '../shared.ts'
import { giveBackScript, heldScript, holdScript, takeScript } from './scripts.ts'

export interface RedisPermitOptions {
  /** `redis://` or `rediss://`, with user and password if Redis needs them. */
  readonly url: string
  /** The prefix of every key. Each installation that shares a Redis needs its own. */
  readonly prefix: string
  readonly clock: Clock
  /** Called once for each time that Redis stops answering. */
  readonly report: (error: unknown) => void
}

const millisOf = (micros: unknown): Millis => Math.ceil(Number(micros) / 1_000)

/** Permits that Redis gives to all processes of an installation. The methods reject if Redis does not answer. */
class RedisPermitSource implements PermitSource {
  readonly #connection: Connection
  readonly #prefix: string

  constructor(connection: Connection, prefix: string) {
    this.#connection = connection
    this.#prefix = prefix
  }

  async take(key: RateKey, rate: Rate, most: number, within: Millis): Promise<Permits> {
    const answer = await this.#run(takeScript, key, most, microsOf(within), spacingOf(rate), slackOf(rate), microsOf(ahead))
    const [mark, first, ...delays] = Array.isArray(answer) ? answer : []
    return {
      delays: delays.map(millisOf),
      opensIn: millisOf(first),
      giveBack: (count) => {
        // Permits that are lost here only delay later requests a little.
        this.#run(giveBackScript, key, String(mark), count * spacingOf(rate)).catch(() => {})
      },
    }
  }

  async hold(key: RateKey, rate: Rate, delay: Millis): Promise<void> {
    await this.#run(holdScript, key, microsOf(delay), spacingOf(rate), slackOf(rate))
  }

  async heldFor(key: RateKey): Promise<Millis> {
    return millisOf(await this.#run(heldScript, key))
  }

  close(): void {
    this.#connection.close()
  }

  #run(script: string, key: RateKey, ...values: readonly (string | number)[]): Promise<unknown> {
    return this.#connection.use((client) => client.eval(script, 1, `${this.#prefix}:pace:${key}`, ...values))
  }
}

/**
 * Opens the permits that processes of an installation share over Redis. They use their own connection, so
 * long commands of the queue do not delay them. Never fails: without Redis, each process keeps to the rate by
 * itself.
 */
export async function openRedisPermitSource({ url, prefix, clock, report }: RedisPermitOptions): Promise<PermitSource> {
  // A fault of the connection is reported when a permit is taken. Until then it does not matter.
  const connection = new Connection(url, `${prefix}-pace`, () => {})
  await connection.client.connect().catch(() => {})
  return new SharedPermitSource(new LocalPermitSource(clock), new RedisPermitSource(connection, prefix), clock, report)
}
