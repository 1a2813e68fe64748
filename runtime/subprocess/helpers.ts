import type { ChildProcess } from 'node:child_process'
import type { Clock, Millis } from '../domain/index.ts'
import { type Release, Slots } from '../fairness/index.ts'
import { type Answerer, Helper, type TaskEnd } from './helper.ts'
import { processorTimeOf } from './processor-time.ts'

export interface HelpersOptions {
  launch(): ChildProcess
  /**
   * The most processes. Each is started when there is work for it, and then kept. One owner alone gets about
   * three quarters of them, and at least one.
   */
  readonly processes: number
  /**
   * The time limit of a task, counted from when its process is ready. On a busy machine it may take up to four times
   * as long, until its process has used this much processor time.
   */
  readonly deadline: Millis
  /** How many tasks may wait for a process: of one owner, and in total. */
  readonly waiting: { readonly each: number; readonly all: number }
  /** How long a task waits for a process. */
  readonly within: Millis
  /** How long an idle process is kept. */
  readonly idle: Millis
  readonly clock: Clock
  /** Set only by tests: the processor time that a process has used. */
  readonly processorTime?: (pid: number) => Millis | null
}

/** `busy`: too many tasks wait already, or it waited too long. */
export type HelpersEnd = TaskEnd | { readonly kind: 'busy' }

/**
 * Processes for work whose cost strangers choose. Owners take turns. A task over its limits is killed with
 * its process.
 */
export class Helpers {
  readonly #options: HelpersOptions
  readonly #slots: Slots
  readonly #waiting = new Map<string, number>()
  readonly #all = new Set<Helper>()
  /** Idle processes, each with a function that keeps it from being ended. The one used last comes last. */
  readonly #idle = new Map<Helper, () => void>()
  #waitingInAll = 0
  #closed = false

  constructor(options: HelpersOptions) {
    this.#options = options
    this.#slots = new Slots(options.processes)
  }

  /**
   * Runs a task for an owner.
   * @param body returns what the process is sent, once it is known which process; what is in its `keeps` need
   * not be sent again
   * @param answerer answers the task's questions; absent: it has none
   */
  async run(owner: string, body: (keeps: Set<string>) => unknown, answerer?: Answerer): Promise<HelpersEnd> {
    const release = this.#slots.tryTake(owner) ?? (await this.#wait(owner))
    if (release === null) return { kind: 'busy' }
    try {
      if (this.#closed) return { kind: 'died', message: 'The runtime is closing.' }
      const helper = this.#take()
      const end = await helper.run(body(helper.keeps), this.#options.deadline, answerer)
      if (helper.alive) this.#rest(helper)
      else this.#all.delete(helper)
      return end
    } finally {
      release()
    }
  }

  /** Ends the processes. Tasks under way end as `late`. */
  async close(): Promise<void> {
    this.#closed = true
    for (const keep of this.#idle.values()) keep()
    this.#idle.clear()
    await Promise.all([...this.#all].map((helper) => helper.close()))
  }

  #take(): Helper {
    for (const [standing, keep] of [...this.#idle].toReversed()) {
      keep()
      this.#idle.delete(standing)
      if (standing.alive) return standing
      this.#all.delete(standing)
    }
    const { launch, clock, processorTime = processorTimeOf } = this.#options
    const helper = new Helper({ launch, clock, processorTime })
    this.#all.add(helper)
    return helper
  }

  #rest(helper: Helper): void {
    const { clock, idle } = this.#options
    const keep = clock.after(idle, () => {
      this.#idle.delete(helper)
      this.#all.delete(helper)
      void helper.close()
    })
    this.#idle.set(helper, keep)
  }

  async #wait(owner: string): Promise<Release | null> {
    const { waiting, within, clock } = this.#options
    const own = this.#waiting.get(owner) ?? 0
    if (own >= waiting.each || this.#waitingInAll >= waiting.all) return null
    this.#count(owner, 1)
    const late = new AbortController()
    const cancel = clock.after(within, () => late.abort())
    try {
      return await this.#slots.take(owner, late.signal)
    } catch {
      return null
    } finally {
      cancel()
      this.#count(owner, -1)
    }
  }

  #count(owner: string, change: 1 | -1): void {
    this.#waitingInAll += change
    const own = (this.#waiting.get(owner) ?? 0) + change
    if (own > 0) this.#waiting.set(owner, own)
    else this.#waiting.delete(owner)
  }
}
