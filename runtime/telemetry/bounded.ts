import type { Logger } from 'pino'
import type { Clock, Millis } from '../domain/index.ts'

const minute: Millis = 60_000

/**
 * Warnings of one kind that can come in floods. A limited number of lines a minute is written. The rest is
 * only counted.
 */
export class BoundedWarnings {
  readonly #logger: Pick<Logger, 'warn'>
  readonly #clock: Pick<Clock, 'now'>
  readonly #most: number
  readonly #summary: string
  #began: Millis = Number.NEGATIVE_INFINITY
  #lines = 0
  #leftOut = 0

  /**
   * @param most the most lines in a minute
   * @param summary the message about lines that were only counted, with `left_out`; logged with the next line
   * after that minute
   */
  constructor(logger: Pick<Logger, 'warn'>, clock: Pick<Clock, 'now'>, most: number, summary: string) {
    this.#logger = logger
    this.#clock = clock
    this.#most = most
    this.#summary = summary
  }

  warn(fields: object, message: string): void {
    const now = this.#clock.now()
    // A clock that was set back also begins a new minute.
    if (now - this.#began >= minute || now < this.#began) {
      if (this.#leftOut > 0) this.#logger.warn({ left_out: this.#leftOut }, this.#summary)
      this.#began = now
      this.#lines = 0
      this.#leftOut = 0
    }
    this.#lines += 1
    if (this.#lines > this.#most) this.#leftOut += 1
    else this.#logger.warn(fields, message)
  }
}
