import { boundedCache } from '../../caches/index.ts'
import type { Clock, Connection, ConnectionId, Millis } from '../../domain/index.ts'
import type { NotSent } from './types.ts'

/** How long a process lets a token endpoint rest that has just failed. Callers wait for that. */
const rest: Millis = 1_000
/** The longest time for which `Retry-After` keeps a process from asking. */
const longestRest: Millis = 30_000
const maxResting = 10_000

interface Rest {
  readonly revision: number
  readonly from: Millis
  readonly duration: Millis
  readonly failure: NotSent
}

/**
 * Token endpoints that have just failed, but did not refuse: nobody knows how they would answer now. A process asks each
 * of them at most once a second, however many calls need a token, and not before the time that it asked for.
 */
export class Rests {
  readonly #clock: Clock
  readonly #resting = boundedCache<ConnectionId, Rest>(maxResting)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Notes that the endpoint has failed. */
  begin({ id, revision }: Connection, failure: NotSent): void {
    const asked = Math.min((failure.retryAfter ?? 0) * 1_000, longestRest)
    this.#resting.set(id, { revision, from: this.#clock.now(), duration: Math.max(rest, asked), failure })
  }

  /** Notes that it has answered. */
  end({ id }: Connection): void {
    this.#resting.delete(id)
  }

  /**
   * Waits until the endpoint may be asked again.
   * @returns its failure if that takes more than a second; else null
   */
  async pass({ id, revision }: Connection): Promise<NotSent | null> {
    const standing = this.#resting.get(id)
    if (standing?.revision !== revision) return null
    const { from, duration, failure } = standing
    // If the clock was set back, it rests no longer than before.
    const left = duration - Math.max(this.#clock.now() - from, 0)
    if (left <= 0) return null
    if (left > rest) return { ...failure, retryAfter: Math.ceil(left / 1_000) }
    await this.#clock.sleep(left)
    return null
  }
}
