import type { Clock, Millis } from '../domain/index.ts'

/** What fails is logged at most once in this time. */
const period: Millis = 60_000

/** How often something failed, as a log line says it. */
export interface FailureCounts {
  /** Since the last line. */
  readonly failures: number
  /** Since the first failure. Absent in the first line. */
  readonly in_all?: number
  /** Since the last line. Absent in the first line. */
  readonly seconds?: number
}

/** How often something failed until it recovered, and for how long. */
export interface FailureTotal {
  readonly failures: number
  readonly seconds: number
}

/**
 * Something that fails again and again, and then recovers. Says when to write a line: for the first failure at
 * once, then once a minute while it goes on, and once when it has recovered.
 */
export class Failing {
  readonly #clock: Clock
  readonly #write: (counts: FailureCounts) => Promise<void> | void
  readonly #recovered: (total: FailureTotal) => void
  readonly #since: Millis
  #told: Millis
  #lastAt: Millis
  #count = 0
  #total = 0
  /** Whether it has worked since the last failure. */
  #answered = false
  #cancel: (() => void) | null = null

  /** @param recovered called once. After that, a failure needs another `Failing` */
  constructor(clock: Clock, write: (counts: FailureCounts) => Promise<void> | void, recovered: (total: FailureTotal) => void) {
    this.#clock = clock
    this.#write = write
    this.#recovered = recovered
    this.#since = clock.now()
    this.#told = this.#since
    this.#lastAt = this.#since
  }

  failed(): void {
    this.#count += 1
    this.#total += 1
    this.#lastAt = this.#clock.now()
    this.#answered = false
    if (this.#cancel === null) this.#tell()
  }

  /** Call when it worked. */
  answered(): void {
    this.#answered = true
    if (this.#cancel === null && this.#count === 0) this.#end()
  }

  /** Writes what was counted but not written yet. After this, no timer writes anything. */
  async close(): Promise<void> {
    this.#cancel?.()
    this.#cancel = null
    if (this.#count > 0) await this.#tellCounts()
  }

  /** Writes a line, and schedules the next check. */
  #tell(): void {
    void this.#tellCounts()
    this.#cancel = this.#clock.after(period, () => this.#look())
  }

  #tellCounts(): Promise<void> | void {
    const failures = this.#count
    const now = this.#clock.now()
    const seconds = Math.round((now - this.#told) / 1_000)
    this.#count = 0
    this.#told = now
    return this.#write({ failures, ...(this.#total > failures && { in_all: this.#total, seconds }) })
  }

  #look(): void {
    this.#cancel = null
    if (this.#count > 0) this.#tell()
    else if (this.#answered) this.#end()
    // Otherwise nobody has used it since the last failure. The next use shows whether it has recovered.
  }

  #end(): void {
    this.#recovered({ failures: this.#total, seconds: Math.round((this.#lastAt - this.#since) / 1_000) })
  }
}
