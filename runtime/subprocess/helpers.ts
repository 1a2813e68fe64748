import type { ChildProcess } from 'node:child_process'
import type { Clock, Millis } from '../domain/index.ts'
import { type Release, Slots } from '../fairness/index.ts'
import { Helper, type TaskEnd } from './helper.ts'

export interface HelpersOptions {
  launch(): ChildProcess
  /** Processes, each begun when there is work for it and kept. One owner alone gets about three quarters of them, and one at least. */
  readonly processes: number
  /** Of a task, from when its process can begin it. */
  readonly deadline: Millis
  /** Tasks that may wait for a process: of one owner, and of all. */
  readonly waiting: { readonly each: number; readonly all: number }
  /** So long does a task wait for a process. */
  readonly within: Millis
  /** A process without work is ended after this. */
  readonly idle: Millis
  readonly clock: Clock
}

/** `busy`: too many wait already, or it waited too long. */
export type HelpersEnd = TaskEnd | { readonly kind: 'busy' }

/** Processes that do what a stranger chooses the cost of. Owners take turns; a task beyond its bounds ends with its process. */
export class Helpers {
  readonly #options: HelpersOptions
  readonly #slots: Slots
  readonly #waiting = new Map<string, number>()
  readonly #all = new Set<Helper>()
  /** With what keeps each from being ended; the one that rested last is last. */
  readonly #idle = new Map<Helper, () => void>()
  #waitingInAll = 0
  #closed = false

  constructor(options: HelpersOptions) {
    this.#options = options
    this.#slots = new Slots(options.processes)
  }

  /** @param body what the process is sent, made when it is known which: of what it `keeps`, nothing need be sent again */
  async run(owner: string, body: (keeps: Set<string>) => unknown): Promise<HelpersEnd> {
    const release = this.#slots.tryTake(owner) ?? (await this.#wait(owner))
    if (release === null) return { kind: 'busy' }
    try {
      if (this.#closed) return { kind: 'died', message: 'The runtime is closing.' }
      const helper = this.#take()
      const end = await helper.run(body(helper.keeps), this.#options.deadline)
      if (helper.alive) this.#rest(helper)
      else this.#all.delete(helper)
      return end
    } finally {
      release()
    }
  }

  /** Ends the processes; what they do ends as `late`. */
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
    const { launch, clock } = this.#options
    const helper = new Helper(launch, clock)
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
