import type { Clock, Millis } from '../../domain/index.ts'
import { Connection } from '../../redis/index.ts'
import { LocalPace } from '../local.ts'
import { ahead, type Pace, type PaceKey, type Rate, type Turns } from '../port.ts'
import { microsOf, slackOf, spacingOf } from '../schedule.ts'
import { SharedPace } from '../shared.ts'
import { giveBackScript, heldScript, holdScript, takeScript } from './scripts.ts'

export interface RedisPaceOptions {
  /** `redis://` or `rediss://`, with user and password where Redis wants them. */
  readonly url: string
  /** What every key begins with, one for each installation that shares a Redis. */
  readonly prefix: string
  readonly clock: Clock
  /** Hears once of each time that Redis does not answer. */
  readonly report: (error: unknown) => void
}

const millisOf = (micros: unknown): Millis => Math.ceil(Number(micros) / 1_000)

/** Turns as Redis gives them to all processes of an installation. Its methods reject when Redis does not answer. */
class RedisPace implements Pace {
  readonly #connection: Connection
  readonly #prefix: string

  constructor(connection: Connection, prefix: string) {
    this.#connection = connection
    this.#prefix = prefix
  }

  async take(key: PaceKey, rate: Rate, most: number, within: Millis): Promise<Turns> {
    const answer = await this.#run(takeScript, key, most, microsOf(within), spacingOf(rate), slackOf(rate), microsOf(ahead))
    const [mark, first, ...delays] = Array.isArray(answer) ? answer : []
    return {
      delays: delays.map(millisOf),
      opensIn: millisOf(first),
      giveBack: (count) => {
        // Turns that are lost with it cost a little time.
        this.#run(giveBackScript, key, String(mark), count * spacingOf(rate)).catch(() => {})
      },
    }
  }

  async hold(key: PaceKey, rate: Rate, delay: Millis): Promise<void> {
    await this.#run(holdScript, key, microsOf(delay), slackOf(rate))
  }

  async heldFor(key: PaceKey): Promise<Millis> {
    return millisOf(await this.#run(heldScript, key))
  }

  close(): void {
    this.#connection.close()
  }

  #run(script: string, key: PaceKey, ...values: readonly (string | number)[]): Promise<unknown> {
    return this.#connection.use((client) => client.eval(script, 1, `${this.#prefix}:pace:${key}`, ...values))
  }
}

/**
 * The pace that processes of an installation share over Redis, on one connection of its own, which a long command of the queue does not
 * hold up. Never fails: without Redis each process keeps to the rate by itself.
 */
export async function openRedisPace({ url, prefix, clock, report }: RedisPaceOptions): Promise<Pace> {
  // What becomes of the connection is reported when a turn is wanted: until then it does not matter.
  const connection = new Connection(url, `${prefix}-pace`, () => {})
  await connection.client.connect().catch(() => {})
  return new SharedPace(new LocalPace(clock), new RedisPace(connection, prefix), clock, report)
}
