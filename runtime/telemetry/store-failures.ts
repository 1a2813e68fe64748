import type { Logger } from 'pino'
import type { Clock } from '../domain/index.ts'
import { isTocsinError, messageOf } from '../errors/index.ts'
import { Failing, type FailureCounts } from './failing.ts'

/**
 * Logs what failed, without a flood while the store cannot answer, such as when its disk is full. Then
 * everything fails, again and again. The first line of each kind is written. The rest is counted, and one line
 * a minute says how many there were. Recovery is logged once. Other errors are logged as they come.
 */
export class StoreFailureLog {
  readonly #logger: Logger
  readonly #clock: Clock
  #failing: Failing | null = null
  /** The kinds of lines since the store began to fail, and how many of each were left out since the last line. */
  #leftOut = new Map<string, number>()
  #error = ''

  constructor(logger: Logger, clock: Clock) {
    this.#logger = logger
    this.#clock = clock
  }

  /** Logs a warning with the error's message. @param message the kind of line, with no names or numbers in it */
  warn(error: unknown, fields: object, message: string): void {
    this.log('warn', error, { ...fields, error: messageOf(error) }, message)
  }

  /** Logs a line whose fields have what matters of the error. */
  log(level: 'warn' | 'error', error: unknown, fields: object, message: string): void {
    if (!isTocsinError(error) || error.code !== 'store_unavailable') return this.#logger[level](fields, message)
    this.#failing ??= new Failing(
      this.#clock,
      (counts) => this.#tell(counts),
      (total) => this.#recovered(total),
    )
    this.#error = error.message
    const leftOut = this.#leftOut.get(message)
    if (leftOut === undefined) this.#logger[level](fields, message)
    this.#leftOut.set(message, leftOut === undefined ? 0 : leftOut + 1)
    this.#failing.failed()
  }

  /** Call when the store has answered, again and again. */
  answered(): void {
    this.#failing?.answered()
  }

  /** Writes what was counted but not written yet. */
  async close(): Promise<void> {
    await this.#failing?.close()
    this.#forget()
  }

  #tell(counts: FailureCounts): void {
    const leftOut = [...this.#leftOut].filter(([, count]) => count > 0)
    // Then each of them has its own line.
    if (leftOut.length === 0) return
    for (const [kind] of leftOut) this.#leftOut.set(kind, 0)
    this.#logger.warn(
      { ...counts, left_out: Object.fromEntries(leftOut), error: this.#error },
      'the store is failing; lines like those above are left out',
    )
  }

  #recovered(total: object): void {
    this.#forget()
    this.#logger.info(total, 'the store works again')
  }

  #forget(): void {
    this.#failing = null
    this.#leftOut = new Map()
  }
}

const logs = new WeakMap<Logger, StoreFailureLog>()

/** Returns the log for failures of the store. There is one for the process: what fails, fails for the same reason. */
export function storeFailures(logger: Logger, clock: Clock): StoreFailureLog {
  const standing = logs.get(logger) ?? new StoreFailureLog(logger, clock)
  logs.set(logger, standing)
  return standing
}
