/**
 * The queue of several processes, on Redis with BullMQ. Each organization and alert type has a queue of its own
 * (decision 2).
 */

import type { Clock } from '../../domain/index.ts'
import { Connection } from '../../redis/index.ts'
import type { ConsumeOptions, Consumer, Job, JobHandler, Queue, Sealed } from '../port.ts'
import { type Report, warn } from '../report.ts'
import { Bull } from './bull.ts'
import { BullConsumer, type ConsumerParts } from './consumer.ts'
import { DirectGiver } from './direct-giver.ts'
import { DirectTaker } from './direct-taker.ts'
import { redisNames } from './names.ts'
import { Producer } from './producer.ts'
import { Registry } from './registry.ts'
import { BullSource } from './source.ts'
import { Wakes } from './wakes.ts'

export interface BullQueueOptions {
  /** `redis://` or `rediss://`, with user and password if Redis needs them. */
  readonly url: string
  /** The prefix of every key and channel. Each installation that shares a Redis needs its own. */
  readonly prefix: string
  readonly clock: Clock
  /** Receives lost connections and handlers that reject. Absent: they become warnings of the process. */
  readonly report?: Report
  /**
   * Whether a free consumer also takes jobs directly from processes that have none, and they give them. Each consumer
   * then has one more connection. Absent: no.
   */
  readonly direct?: boolean
}

class BullQueue implements Queue {
  readonly #producer: Producer
  readonly #connection: Connection
  readonly #bull: Bull
  readonly #registry: Registry
  readonly #wakes: Wakes
  readonly #parts: ConsumerParts
  readonly #consumers: BullConsumer[] = []
  readonly #giver: DirectGiver | null
  /** How many enqueues are under way to Redis. */
  #enqueuing = 0
  /** Resolves when it is known what becomes of the gift under way. Null: there is none. */
  #giving: Promise<void> | null = null

  constructor(connection: Connection, bull: Bull, { url, prefix, clock, report = warn, direct = false }: BullQueueOptions) {
    const names = redisNames(prefix)
    const registry = new Registry(connection, names, clock)
    const wakes = new Wakes(url, names, report)
    this.#connection = connection
    this.#bull = bull
    this.#producer = new Producer(connection, bull, names, clock)
    this.#giver = direct ? new DirectGiver(connection, bull, names, clock) : null
    this.#registry = registry
    this.#wakes = wakes
    this.#parts = {
      open: (queue) => new BullSource(connection, bull, queue),
      nonEmpty: () => registry.nonEmpty(),
      listen: (listener) => wakes.add(listener),
      ...(direct && {
        direct: (hands) => new DirectTaker(hands, { url, names, connection, putBack: (jobs) => this.#producer.enqueue(jobs, false), report }),
      }),
      clock,
      report,
    }
    // Requests on a lost connection have failed. When the connection is back, consumers look for jobs again.
    connection.client.on('ready', () => wakes.lookAll())
  }

  async enqueue(jobs: readonly Job[], sealed?: Sealed): Promise<void> {
    // A later job must not pass an earlier one of its lane on the way.
    const left = this.#enqueuing > 0 ? jobs : this.#consumers.reduce((still, consumer) => consumer.takeAtOnce(still), jobs)
    if (left.length === 0) return
    this.#enqueuing += 1
    try {
      // What nobody takes comes into its queue before later jobs do.
      while (this.#giving) await this.#giving
      if (this.#giver && this.#enqueuing === 1 && this.#consumers.length === 0) await this.#giveOrEnqueue(this.#giver, left, sealed)
      else await this.#producer.enqueue(left, false)
    } finally {
      this.#enqueuing -= 1
    }
  }

  /** Gives jobs to a process that waits for some. If there is none, enqueues them. */
  async #giveOrEnqueue(giver: DirectGiver, jobs: readonly Job[], sealed?: Sealed): Promise<void> {
    const known = Promise.withResolvers<void>()
    this.#giving = known.promise
    let enqueued: Promise<void> | null = null
    try {
      if (!(await giver.give(jobs, sealed))) enqueued = this.#producer.enqueue(jobs, false)
    } finally {
      this.#giving = null
      known.resolve()
    }
    await enqueued
  }

  enqueueAgain(jobs: readonly Job[]): Promise<void> {
    return this.#producer.enqueue(jobs, true)
  }

  consume(handler: JobHandler, options: ConsumeOptions): Consumer {
    const consumer = new BullConsumer(handler, options, this.#parts)
    this.#consumers.push(consumer)
    return consumer
  }

  prune(): Promise<number> {
    return this.#registry.prune()
  }

  async ping(): Promise<void> {
    await this.#connection.use(async (client) => {
      await this.#bull.ready()
      await client.ping()
    })
  }

  async close(): Promise<void> {
    await Promise.all(this.#consumers.map((consumer) => consumer.stop()))
    this.#wakes.close()
    this.#connection.close()
  }
}

/**
 * Opens the queue on Redis. It uses one connection, and a second one once there is a consumer, however many
 * queues there are. If Redis is down, this is reported, and calls of the queue fail until Redis is back.
 * @throws TocsinError `queue_unavailable` if Redis refuses the password or is too old
 */
export async function openBullQueue(options: BullQueueOptions): Promise<Queue> {
  const { url, prefix, report = warn } = options
  const connection = new Connection(url, redisNames(prefix).connection, report)
  const bull = new Bull(connection.client, prefix)
  if (await connection.open())
    await bull.ready().catch((error: unknown) => {
      // If the connection was lost meanwhile, it will reconnect.
      if (connection.client.status !== 'ready') return
      connection.close()
      throw connection.unavailable(error)
    })
  return new BullQueue(connection, bull, options)
}
