import { type Clock, type Company, companies, type Millis } from '../../domain/index.ts'
import { FairQueue, inLane, laneOf, type Release } from '../../fairness/index.ts'
import { Admission, type Share } from '../admission.ts'
import { FairJobQueue } from '../fair-job-queue.ts'
import { nextLane } from '../next-lane.ts'
import type { ConsumeOptions, Consumer, Job, JobHandler } from '../port.ts'
import type { Report } from '../report.ts'
import type { Hands, Taker } from './direct-taker.ts'
import { partsOf, shareOf } from './names.ts'
import { idleAfter } from './registry.ts'
import type { FetchedJob, JobSource } from './source.ts'
import type { WakeListener } from './wakes.ts'

/** How often to look for queues that have jobs without a wake. */
export const lookEvery: Millis = 5_000
/** The most concurrent requests to one queue: enough to hide the round trip if only one queue has jobs. */
const maxTakers = 8

/** What the consumers of a process share. */
export interface ConsumerParts {
  open(queue: string): JobSource
  /** Returns the queues that have jobs. */
  nonEmpty(): Promise<readonly string[]>
  /** Subscribes to wakes. Returns a function that unsubscribes. */
  listen(listener: WakeListener): () => void
  /** Begins to wait for jobs that other processes give directly. Absent: they give none. */
  readonly direct?: (hands: Hands) => Taker
  readonly clock: Clock
  readonly report: Report
}

/** One BullMQ queue that has or had jobs. */
interface Lane {
  readonly source: JobSource
  readonly share: Share
  readonly company: Company
  /** Whether it waits in `#waiting` for its turn. */
  queued: boolean
  /** How many requests to the queue are under way. */
  takers: number
  /** Whether there may be a job that a request under way did not see. */
  woken: boolean
  /** When it was last woken. */
  usedAt: Millis
}

/**
 * Takes jobs from the queues in turn. Asks only queues that may have jobs. A job is removed from its queue
 * before its handler starts. So if an enqueue was ignored because the job was still there, the handler sees
 * what that enqueuer wrote to the store.
 */
export class BullConsumer implements Consumer, WakeListener, Hands {
  readonly #handler: JobHandler
  readonly #admission: Admission
  readonly #parts: ConsumerParts
  readonly #lanes = new Map<string, Lane>()
  /** Queues that may have jobs and wait for a slot, each once, under their organization. */
  readonly #waiting = new Map<Company, FairQueue<Lane>>(companies.map((company) => [company, new FairQueue()]))
  /** Jobs that were offered in this process. */
  readonly #offered = new FairJobQueue(shareOf)
  readonly #idle = Promise.withResolvers<void>()
  readonly #leave: readonly (() => void)[]
  readonly #concurrency: number
  readonly #taker: Taker | null
  /** How many jobs are taken and have not ended. */
  #active = 0
  /** Requests under way that may return a job. A slot is reserved for each. */
  #asking = 0
  #stopped = false
  /** Whether the current fault was reported. It is reported once, until Redis answers again. */
  #troubled = false

  constructor(handler: JobHandler, options: ConsumeOptions, parts: ConsumerParts) {
    this.#handler = handler
    this.#concurrency = options.concurrency
    this.#parts = parts
    this.#admission = new Admission(options, parts.clock, () => this.#pump())
    const endLooking = parts.clock.every(lookEvery, () => {
      this.#forgetIdle()
      this.look()
    })
    this.#leave = [endLooking, parts.listen(this)]
    this.#taker = parts.direct?.(this) ?? null
  }

  get active(): number {
    return this.#active
  }

  get isFree(): boolean {
    return !this.#stopped && this.#active < this.#concurrency && !this.#somethingWaits
  }

  /** Whether other jobs come before a new one. */
  get #somethingWaits(): boolean {
    return this.#asking > 0 || this.#offered.size > 0 || [...this.#waiting.values()].some(({ size }) => size > 0)
  }

  offer(job: Job): void {
    if (this.#stopped) return
    this.#offered.add(job)
    this.#pump()
  }

  /**
   * Takes jobs that nobody has enqueued yet, while there are free slots and no other job waits. So Redis need not
   * carry a job that this process would take at once.
   * @returns the jobs that it did not take, in order
   */
  takeAtOnce(jobs: readonly Job[]): readonly Job[] {
    if (this.#stopped || this.#somethingWaits) return jobs
    let taken = 0
    for (const job of jobs) {
      const share = shareOf(job)
      if (job.company || !this.#admission.may('any', share.owner)) break
      this.#active++
      void this.#work(() => job, job.company, this.#admission.enter('any', share))
      taken += 1
    }
    return jobs.slice(taken)
  }

  wake(names: readonly string[]): void {
    if (this.#stopped) return
    for (const name of names) {
      const lane = this.#lane(name)
      if (lane.takers > 0) lane.woken = true
      else this.#enlist(lane)
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

  async stop(): Promise<void> {
    this.#stopped = true
    for (const leave of this.#leave) leave()
    this.#admission.stop()
    this.#endIfIdle()
    await Promise.all([this.#idle.promise, this.#taker?.stop()])
  }

  #lane(name: string): Lane {
    let lane = this.#lanes.get(name)
    if (!lane) {
      lane = { source: this.#parts.open(name), ...partsOf(name), queued: false, takers: 0, woken: false, usedAt: 0 }
      this.#lanes.set(name, lane)
    }
    lane.usedAt = this.#parts.clock.now()
    return lane
  }

  #enlist(lane: Lane): void {
    if (lane.queued || this.#stopped) return
    lane.queued = true
    this.#waiting.get(lane.company)?.push(lane.share.owner, lane)
  }

  /** Gives each free slot to an offered job, or else to the next queue. */
  #pump(): void {
    for (let admitted = this.#offered.take(this.#admission); admitted; admitted = this.#offered.take(this.#admission)) {
      const { job, release } = admitted
      this.#active++
      void this.#work(() => job, job.company, release)
    }
    for (let lane = this.#next(); lane; lane = this.#next()) {
      lane.queued = false
      void this.#take(lane, this.#admission.enter(lane.company, lane.share))
    }
    this.#taker?.waitIfFree()
  }

  /** Returns the next queue whose jobs may start now. */
  #next(): Lane | undefined {
    for (const [company, waiting] of this.#waiting) {
      const lane = nextLane(waiting, company, this.#admission)
      if (lane) return lane
    }
    return undefined
  }

  /** Takes a slot for another job of the same queue. Null if none is free. */
  #another({ company, share }: Lane): Release | null {
    return this.#admission.may(company, share.owner) ? this.#admission.enter(company, share) : null
  }

  /**
   * Takes a job from a queue, and continues with the same queue while there are slots.
   * @param slot for the first job
   */
  async #take(lane: Lane, slot: Release): Promise<void> {
    lane.takers++
    let held: Release | null = slot
    let fetched = await this.#ask(lane, () => lane.source.fetch())
    while (fetched && held) {
      const [job, own]: [FetchedJob, Release] = [fetched, held]
      held = this.#another(lane)
      if (held) fetched = await this.#ask(lane, () => job.settle(true))
      else {
        this.#enlist(lane)
        fetched = await this.#attempt(lane, () => job.settle(false))
      }
      void this.#work(() => job.read(), lane.company, own)
      // The queue had a second job, so it may have many.
      const more = fetched && lane.takers < maxTakers ? this.#another(lane) : null
      if (more) void this.#take(lane, more)
    }
    held?.()
    lane.takers--
    if (lane.woken) this.#enlist(lane)
    this.#pump()
    this.#endIfIdle()
  }

  /** Asks for a job. The caller has reserved a slot for it. */
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

  async #work(read: () => Job, company: Company | undefined, slot: Release): Promise<void> {
    try {
      const job = read()
      if (company === 'none') await this.#admission.solitude()
      // The store of this process gives lanes their turns.
      await inLane(laneOf(job.organization, job.type), () => this.#handler(job))
    } catch (error) {
      this.#parts.report(error)
    } finally {
      this.#active--
      slot()
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
