import type { Millis } from '../../domain/index.ts'
import { Connection } from '../../redis/index.ts'
import type { Job } from '../port.ts'
import type { Report } from '../report.ts'
import { isJob } from './is-job.ts'
import type { RedisNames } from './names.ts'

/** What takes the jobs of a process. */
export interface Hands {
  /** Whether it would take a job of any organization at once. */
  readonly isFree: boolean
  /** Takes jobs at once. Returns those that it does not take. */
  takeAtOnce(jobs: readonly Job[]): readonly Job[]
}

/** How long the list that ends a wait stays in Redis if nobody reads it. */
const endFor: Millis = 60_000

/** Waits for jobs that another process gives directly. */
export interface Taker {
  /** Begins to wait, if the hands are free and it does not wait yet. */
  waitIfFree(): void
  /** Waits no more. What was given until then goes into its queue. */
  stop(): Promise<void>
}

export interface TakerParts {
  readonly url: string
  readonly names: RedisNames
  /** The commands of this process that do not wait. */
  readonly connection: Connection
  /** Puts jobs into their queues. */
  putBack(jobs: readonly Job[]): Promise<void>
  readonly report: Report
}

/**
 * Waits in Redis, while its process is free. Redis passes each gift to one client. It has a connection of its own,
 * because a client that waits can do nothing else.
 */
export class DirectTaker implements Taker {
  readonly #hands: Hands
  readonly #parts: TakerParts
  readonly #connection: Connection
  /** The name of the list that ends the wait of this connection. Null: the connection is not ready. */
  #end: string | null = null
  /** The wait under way. Null: none. */
  #wait: Promise<void> | null = null
  #stopped = false

  constructor(hands: Hands, parts: TakerParts) {
    this.#hands = hands
    this.#parts = parts
    // The other connection of the queue reports a lost Redis.
    this.#connection = new Connection(parts.url, parts.names.waiting, () => {}, true)
    const { client } = this.#connection
    client.on('close', () => {
      this.#end = null
    })
    client.on('ready', () => {
      client.client('ID').then(
        (id) => {
          this.#end = parts.names.endOfWait(id)
          this.waitIfFree()
        },
        () => client.disconnect(true),
      )
    })
    client.connect().catch(() => {})
  }

  waitIfFree(): void {
    if (this.#wait || this.#stopped || this.#end === null || !this.#hands.isFree) return
    this.#wait = this.#next(this.#end).then((given) => {
      this.#wait = null
      // After a failure, the next connection or the next job's end begins the next wait.
      if (given) this.waitIfFree()
    })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    const end = this.#end
    if (this.#wait && end !== null) {
      // The wait goes over the other connection, and may reach Redis later than this. It then finds the list and ends.
      const left = this.#parts.connection.use((client) => Promise.all([client.rpush(end, ''), client.pexpire(end, endFor)]))
      // If Redis does not answer, the wait ends with its connection.
      await left.catch(() => this.#connection.close())
      await this.#wait
    }
    this.#connection.close()
  }

  /** Waits once. Returns whether something was given. Never rejects. */
  async #next(end: string): Promise<boolean> {
    const gift = await this.#connection.client.blpop(this.#parts.names.direct, end, 0).catch(() => null)
    if (gift === null || gift[0] === end) return false
    const jobs = read(gift[1])
    if (jobs === null) this.#parts.report(new Error(`Redis passed on what is not a job of this version: ${gift[1].slice(0, 200)}. It was dropped.`))
    const left = this.#stopped ? (jobs ?? []) : this.#hands.takeAtOnce(jobs ?? [])
    if (left.length > 0) await this.#parts.putBack(left.map(alone)).catch(this.#parts.report)
    return true
  }
}

function read(text: string): readonly Job[] | null {
  try {
    const jobs: unknown = JSON.parse(text)
    return Array.isArray(jobs) && jobs.every(isJob) ? jobs : null
  } catch {
    return null
  }
}

/** Returns a job without what was given with it. */
function alone({ sealed: _, ...job }: Job): Job {
  return job
}
