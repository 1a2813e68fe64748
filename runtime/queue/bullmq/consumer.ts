import type { Clock, Millis } from '../../domain/index.ts'
import { Fifo } from '../../fairness/index.ts'
import type { Consumer, JobHandler } from '../port.ts'
import type { Report } from '../report.ts'
import { idleAfter } from './registry.ts'
import type { FetchedJob, JobSource } from './source.ts'
import type { WakeListener } from './wakes.ts'

/** How often to look for queues that have jobs and that nobody was woken for. */
export const lookEvery: Millis = 5_000
/** Requests under way to one queue at once: enough to hide the round trip where only one queue has jobs. */
const maxTakers = 8

/** What a consumer shares with the others of its process. */
export interface ConsumerParts {
  open(queue: string): JobSource
  /** The queues that have jobs. */
  nonEmpty(): Promise<readonly string[]>
  /** Subscribes to wakes; returns what ends it. */
  listen(listener: WakeListener): () => void
  readonly clock: Clock
  readonly report: Report
}

/** One queue that is or was known to have jobs. */
interface Lane {
  readonly source: JobSource
  /** In the ring: its turn will come. */
  queued: boolean
  /** Requests under way. */
  takers: number
  /** Something may be there that a request under way did not see. */
  woken: boolean
  /** When it was last woken. */
  usedAt: Millis
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
  /** Queues that may have jobs, each once. Where there is room, it is empty. */
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
    this.#leave = [endLooking, parts.listen(this)]
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
    this.#parts.nonEmpty().then(
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
      lane = { source: this.#parts.open(name), queued: false, takers: 0, woken: false, usedAt: 0 }
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

  /** Takes a job of a queue. Goes on with the same queue while there is room: then no other waits for its turn. */
  async #take(lane: Lane): Promise<void> {
    lane.takers++
    let fetched = await this.#ask(lane, () => lane.source.fetch())
    while (fetched) {
      const job: FetchedJob = fetched
      const along = this.#room > 0
      if (along) fetched = await this.#ask(lane, () => job.settle(true))
      else {
        this.#offer(lane)
        fetched = await this.#attempt(lane, () => job.settle(false))
      }
      void this.#work(job)
      // It had a second one, so it may have many.
      if (fetched && lane.takers < maxTakers && this.#room > 0) void this.#take(lane)
    }
    lane.takers--
    if (lane.woken) this.#offer(lane)
    this.#pump()
    this.#endIfIdle()
  }

  /** Asks for a job, and keeps a place for it meanwhile. */
  async #ask(lane: Lane, question: () => Promise<FetchedJob | 'none' | 'unknown'>): Promise<FetchedJob | null> {
    this.#asking++
    lane.woken = false
    const fetched = await this.#attempt(lane, question)
    this.#asking--
    if (fetched) this.#active++
    return fetched
  }

  async #attempt(lane: Lane, question: () => Promise<FetchedJob | 'none' | 'unknown'>): Promise<FetchedJob | null> {
    try {
      const answer = await question()
      if (answer === 'unknown') lane.woken = true
      return typeof answer === 'string' ? null : answer
    } catch (error) {
      this.#trouble(error)
      return null
    }
  }

  async #work(fetched: FetchedJob): Promise<void> {
    try {
      await this.#handler(fetched.read())
    } catch (error) {
      this.#parts.report(error)
    } finally {
      this.#active--
      this.#pump()
      this.#endIfIdle()
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
