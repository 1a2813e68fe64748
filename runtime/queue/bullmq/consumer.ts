import type { Job as BullJob } from 'bullmq'
import type { Clock, Millis } from '../../domain/index.ts'
import { Fifo } from '../fifo.ts'
import type { Consumer, JobHandler } from '../port.ts'
import type { Report } from '../report.ts'
import type { Bull } from './bull.ts'
import type { Connection } from './connection.ts'
import { readJob } from './job-data.ts'
import { Lane } from './lane.ts'
import { idleAfter, type Registry } from './registry.ts'
import type { WakeListener, Wakes } from './wakes.ts'

/** How often to look for queues that have jobs and that nobody was woken for. */
export const lookEvery: Millis = 5_000
/** Takes under way from one queue at once: enough to hide the round trip where only one queue has jobs. */
const maxTakers = 8

/** What a consumer shares with the others of its process. */
export interface ConsumerParts {
  readonly connection: Connection
  readonly bull: Bull
  readonly registry: Registry
  readonly wakes: Wakes
  readonly clock: Clock
  readonly report: Report
}

/**
 * Takes jobs from the queues in turn, and asks only those that may have some. A job is removed from its queue before its handler
 * begins: so an enqueue that was dropped because the job was still there came before anything that the handler reads.
 */
export class BullConsumer implements Consumer, WakeListener {
  readonly #handler: JobHandler
  readonly #concurrency: number
  readonly #parts: ConsumerParts
  readonly #lanes = new Map<string, Lane>()
  /** Queues that may have jobs, each once. */
  readonly #ring = new Fifo<Lane>()
  readonly #idle = Promise.withResolvers<void>()
  readonly #leave: readonly (() => void)[]
  /** Jobs in hand. */
  #active = 0
  /** Requests under way that may bring a job: a place is kept for each. */
  #asking = 0
  #stopped = false
  /** Failures are reported once, until Redis answers again. */
  #troubled = false

  constructor(handler: JobHandler, concurrency: number, parts: ConsumerParts) {
    this.#handler = handler
    this.#concurrency = concurrency
    this.#parts = parts
    const endLooking = parts.clock.every(lookEvery, () => {
      this.#forgetIdle()
      this.look()
    })
    this.#leave = [endLooking, parts.wakes.add(this)]
  }

  get active(): number {
    return this.#active
  }

  wake(names: readonly string[]): void {
    if (this.#stopped) return
    for (const name of names) {
      const lane = this.#lane(name)
      if (lane.takers > 0) lane.woken = true
      else this.#offer(lane)
    }
    this.#pump()
  }

  look(): void {
    this.#parts.registry.nonEmpty().then(
      (names) => {
        this.#troubled = false
        this.wake(names)
      },
      (error: unknown) => this.#trouble(error),
    )
  }

  stop(): Promise<void> {
    this.#stopped = true
    for (const leave of this.#leave) leave()
    this.#ring.clear()
    this.#endIfIdle()
    return this.#idle.promise
  }

  /** Places for more jobs. */
  get #room(): number {
    return this.#stopped ? 0 : this.#concurrency - this.#active - this.#asking
  }

  #lane(name: string): Lane {
    let lane = this.#lanes.get(name)
    if (!lane) {
      lane = new Lane(this.#parts.bull.worker(name))
      this.#lanes.set(name, lane)
    }
    lane.usedAt = this.#parts.clock.now()
    return lane
  }

  #offer(lane: Lane): void {
    if (lane.queued || this.#stopped) return
    lane.queued = true
    this.#ring.push(lane)
  }

  /** Gives each free place to the queue whose turn it is. */
  #pump(): void {
    while (this.#room > 0) {
      const lane = this.#ring.shift()
      if (!lane) return
      lane.queued = false
      void this.#take(lane)
    }
  }

  /** Takes a job of a queue, and the next ones while there is room and no other queue waits for its turn. */
  async #take(lane: Lane): Promise<void> {
    lane.takers++
    this.#asking++
    let taken = await this.#attempt(() => lane.fetch())
    this.#asking--
    if (taken) this.#active++
    while (taken) {
      const job = taken
      const along = this.#room > 0 && this.#ring.size === 0
      if (along) this.#asking++
      else this.#offer(lane)
      this.#pump()
      taken = await this.#attempt(() => lane.settle(job, along))
      if (along) this.#asking--
      if (taken) this.#active++
      void this.#work(job)
      // It had a second one, so it may have many.
      if (taken && lane.takers < maxTakers && this.#ring.size === 0 && this.#room > 0) void this.#take(lane)
    }
    lane.takers--
    if (lane.woken) this.#offer(lane)
    this.#pump()
    this.#endIfIdle()
  }

  async #work(taken: BullJob): Promise<void> {
    try {
      await this.#handler(readJob(taken))
    } catch (error) {
      this.#parts.report(error)
    } finally {
      this.#active--
      this.#pump()
      this.#endIfIdle()
    }
  }

  async #attempt(question: () => Promise<BullJob | null>): Promise<BullJob | null> {
    try {
      return await this.#parts.connection.use(question)
    } catch (error) {
      this.#trouble(error)
      return null
    }
  }

  #trouble(error: unknown): void {
    if (!this.#troubled && !this.#stopped) this.#parts.report(error)
    this.#troubled = true
  }

  #forgetIdle(): void {
    const before = this.#parts.clock.now() - idleAfter
    for (const [name, lane] of this.#lanes) {
      if (!lane.queued && lane.takers === 0 && lane.usedAt < before) this.#lanes.delete(name)
    }
  }

  #endIfIdle(): void {
    if (this.#stopped && this.#active === 0 && this.#asking === 0) this.#idle.resolve()
  }
}
