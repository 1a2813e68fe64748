import { Queue, QueueKeys, RedisConnection, RedisQueueBackend, Worker } from 'bullmq'
import type { Redis } from '../../redis/index.ts'

/**
 * What BullMQ keeps for each queue beside its jobs: a counter, options, a marker for blocking workers, and a
 * stream of events. Tocsin reads none of it. For thousands of queues it would take most of the memory of
 * Redis. So all queues share one of each, and an empty queue has no key at all.
 */
const shared = ['id', 'meta', 'marker', 'events', 'stalled', 'stalled-check', 'limiter', 'pc'] as const

/** BullMQ's token for jobs without a lock. Jobs are completed as soon as they are taken, so none needs a lock. */
export const noLock = '0'

/** Any number of BullMQ queues and workers on one connection. */
export class Bull {
  #connection: RedisConnection | null = null
  #opening: Promise<void> | null = null
  readonly #client: Redis
  readonly #prefix: string
  readonly #keys: QueueKeys

  /** @param client may connect later */
  constructor(client: Redis, prefix: string) {
    this.#client = client
    this.#prefix = prefix
    this.#keys = new QueueKeys(prefix)
  }

  /**
   * Connects BullMQ. Await this before using a queue or a worker. Rejects at once if there is no connection,
   * or if Redis is older than BullMQ supports. The next call tries again.
   */
  async ready(): Promise<void> {
    if (this.#connection) return
    this.#opening ??= this.#open().finally(() => {
      this.#opening = null
    })
    await this.#opening
  }

  async #open(): Promise<void> {
    // Without this, BullMQ would wait for a connection.
    await this.#client.ping()
    const connection = new RedisConnection(this.#client, { shared: true, blocking: false, skipWaitingForReady: true })
    // The owner of the client handles these errors.
    connection.on('error', () => {})
    try {
      await connection.client
      this.#connection = connection
    } catch (error) {
      await connection.close()
      throw error
    }
  }

  /** The key of the hash from which BullMQ's scripts read a queue's options. */
  get meta(): string {
    return this.#sharedKey('meta')
  }

  queue(name: string): Queue {
    return new Queue(name, { connection: this.#client, prefix: this.#prefix, skipMetasUpdate: true }, this.#backend)
  }

  /** Returns a worker without a loop and without timers. The consumer asks it for jobs. */
  worker(name: string): Worker {
    const gone = { count: 0 }
    const options = { autorun: false, skipStalledCheck: true, skipLockRenewal: true, removeOnComplete: gone, removeOnFail: gone }
    return new Worker(name, null, { ...options, connection: this.#client, prefix: this.#prefix }, this.#backend)
  }

  #sharedKey(key: string): string {
    return `${this.#prefix}:shared:${key}`
  }

  readonly #backend = (name: string, options: ConstructorParameters<typeof RedisQueueBackend>[4]): RedisQueueBackend => {
    const keys = this.#keys.getKeys(name)
    for (const key of shared) keys[key] = this.#sharedKey(key)
    if (!this.#connection) throw new Error('BullMQ was used before `ready` resolved')
    return new RedisQueueBackend(this.#connection, name, keys, (key) => this.#keys.toKey(name, key), options, undefined, false)
  }
}
