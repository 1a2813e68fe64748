import type { Clock, Millis } from '../domain/index.ts'
import type { Pace, PaceKey, Rate, Turns } from './port.ts'
import { Schedule } from './schedule.ts'

/** Schedules on which nothing counts any more are forgotten beyond this many. */
const maxIdle = 1_000

/** The pace of one process: all of an embedded installation, and what others keep to while Redis is silent. */
export class LocalPace implements Pace {
  readonly #clock: Clock
  readonly #schedules = new Map<PaceKey, Schedule>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async take(key: PaceKey, rate: Rate, most: number, within: Millis): Promise<Turns> {
    const schedule = this.#scheduleOf(key)
    const { delays, opensIn, mark } = schedule.take(this.#clock.now(), rate, most, within)
    return { delays, opensIn, giveBack: (count) => schedule.giveBack(rate, count, mark) }
  }

  async hold(key: PaceKey, rate: Rate, delay: Millis): Promise<void> {
    this.#scheduleOf(key).hold(this.#clock.now(), rate, delay)
  }

  async heldFor(key: PaceKey): Promise<Millis> {
    return this.#schedules.get(key)?.heldFor(this.#clock.now()) ?? 0
  }

  close(): void {}

  #scheduleOf(key: PaceKey): Schedule {
    const standing = this.#schedules.get(key)
    if (standing) return standing
    const now = this.#clock.now()
    if (this.#schedules.size >= maxIdle) for (const [other, schedule] of this.#schedules) if (schedule.idle(now)) this.#schedules.delete(other)
    const schedule = new Schedule()
    this.#schedules.set(key, schedule)
    return schedule
  }
}
