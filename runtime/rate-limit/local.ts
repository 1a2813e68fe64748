import type { Clock, Millis } from '../domain/index.ts'
import type { PermitSource, Permits, Rate, RateKey } from './port.ts'
import { Schedule } from './schedule.ts'

/** If there are more schedules than this, idle ones are forgotten. */
const maxIdle = 1_000

/**
 * The permits of one process. An embedded installation has only these. Other installations use them while
 * Redis does not answer.
 */
export class LocalPermitSource implements PermitSource {
  readonly #clock: Clock
  readonly #schedules = new Map<RateKey, Schedule>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async take(key: RateKey, rate: Rate, most: number, within: Millis): Promise<Permits> {
    const schedule = this.#scheduleOf(key)
    const { delays, opensIn, mark } = schedule.take(this.#clock.now(), rate, most, within)
    return { delays, opensIn, giveBack: (count) => schedule.giveBack(rate, count, mark) }
  }

  async hold(key: RateKey, rate: Rate, delay: Millis): Promise<void> {
    this.#scheduleOf(key).hold(this.#clock.now(), rate, delay)
  }

  async heldFor(key: RateKey): Promise<Millis> {
    return this.#schedules.get(key)?.heldFor(this.#clock.now()) ?? 0
  }

  close(): void {}

  #scheduleOf(key: RateKey): Schedule {
    const standing = this.#schedules.get(key)
    if (standing) return standing
    const now = this.#clock.now()
    if (this.#schedules.size >= maxIdle) for (const [other, schedule] of this.#schedules) if (schedule.idle(now)) this.#schedules.delete(other)
    const schedule = new Schedule()
    this.#schedules.set(key, schedule)
    return schedule
  }
}
