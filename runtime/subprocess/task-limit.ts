import type { Clock, Millis } from '../domain/index.ts'

/** On a busy machine, a task may take this many times its limit. */
const patience = 4
/** A task's processor time is looked at again after at least this part of its limit. */
const leastWait = 0.1

export interface TaskLimitOptions {
  readonly clock: Clock
  readonly limit: Millis
  /** The processor time that the task's process has used so far. Null: unknown. Then elapsed time alone counts. */
  readonly processorTime: () => Millis | null
  /** Called once, when the limit is reached. */
  readonly over: () => void
}

/**
 * The time limit of one task. It pauses while the task waits for an answer. On a busy machine a task gets only a
 * part of the processor. So when the limit has passed, the task may go on until it has used the limit in processor
 * time, but for at most four times the limit.
 */
export class TaskLimit {
  readonly #options: TaskLimitOptions
  readonly #usedBefore: Millis | null
  #elapsed: Millis = 0
  /** When to look next, in elapsed time. */
  #next: Millis
  #since = 0
  #cancel: (() => void) | null = null
  #pauses = 0
  #ended = false

  constructor(options: TaskLimitOptions) {
    this.#options = options
    this.#usedBefore = options.processorTime()
    this.#next = options.limit
    this.#go()
  }

  async pausedDuring(work: () => Promise<void>): Promise<void> {
    this.#pauses += 1
    if (this.#pauses === 1) this.#stop()
    try {
      await work()
    } finally {
      this.#pauses -= 1
      if (this.#pauses === 0 && !this.#ended) this.#go()
    }
  }

  end(): void {
    this.#ended = true
    this.#stop()
  }

  #go(): void {
    const { clock } = this.#options
    this.#since = clock.now()
    this.#cancel = clock.after(Math.max(this.#next - this.#elapsed, 0), () => this.#look())
  }

  #stop(): void {
    if (this.#cancel === null) return
    this.#cancel()
    this.#cancel = null
    this.#elapsed += this.#options.clock.now() - this.#since
  }

  #look(): void {
    const { limit, over } = this.#options
    this.#stop()
    const left = Math.min(limit - this.#used(), patience * limit - this.#elapsed)
    if (left <= 0) return over()
    this.#next = this.#elapsed + Math.max(left, limit * leastWait)
    this.#go()
  }

  #used(): Millis {
    const now = this.#options.processorTime()
    return now === null || this.#usedBefore === null ? this.#elapsed : now - this.#usedBefore
  }
}
