import { Job as BullJob, createIORedisClient, type RedisClient } from 'bullmq'
import type { Clock } from '../../domain/index.ts'
import type { Connection, Redis } from '../../redis/index.ts'
import type { Job } from '../port.ts'
import type { Bull } from './bull.ts'
import { jobId, queueName, type RedisNames } from './names.ts'

/** The most jobs in one round trip. Keeps each command short for Redis. */
const batch = 1_000

/**
 * KEYS: the list of jobs that were taken and not completed. ARGV: the beginning of the job keys, then job
 * ids. Removes the jobs that were taken. A job that still waits keeps its place.
 */
const dropTakenScript = `
for index = 2, #ARGV do
  local key = ARGV[1] .. ARGV[index]
  if redis.call('HEXISTS', key, 'processedOn') == 1 then
    redis.call('LREM', KEYS[1], 0, ARGV[index])
    redis.call('DEL', key)
  end
end`

/** Puts jobs into their queues and announces them on the channel. */
export class Producer {
  readonly #connection: Connection
  readonly #bull: Bull
  readonly #names: RedisNames
  readonly #clock: Clock

  constructor(connection: Connection, bull: Bull, names: RedisNames, clock: Clock) {
    this.#connection = connection
    this.#bull = bull
    this.#names = names
    this.#clock = clock
  }

  /**
   * Enqueues jobs in groups, each in one round trip.
   * @param replaceTaken also replaces jobs that a dead process took and never completed
   * @throws TocsinError `queue_unavailable`; some of the jobs may be enqueued anyway
   */
  async enqueue(jobs: readonly Job[], replaceTaken: boolean): Promise<void> {
    for (let start = 0; start < jobs.length; start += batch) {
      const group = jobs.slice(start, start + batch)
      await this.#connection.use(async (client) => {
        await this.#bull.ready()
        await this.#send(client, group, replaceTaken)
      })
    }
  }

  /**
   * Sends one group in one round trip. All commands are written to the connection at once, and Redis executes
   * them in order. So the registry has the queue before the queue has the job, and a consumer that is woken
   * finds the job.
   */
  async #send(client: Redis, jobs: readonly Job[], replaceTaken: boolean): Promise<void> {
    const { registry, wakes } = this.#names
    const now = this.#clock.now()
    const byQueue = Map.groupBy(jobs, queueName)
    const adapted: RedisClient = createIORedisClient(client)
    const adding = adapted.pipeline()
    const dropped: Promise<unknown>[] = []
    for (const [name, group] of byQueue) {
      const queue = this.#bull.queue(name)
      const ids = group.map(({ run }) => jobId(run))
      if (replaceTaken) dropped.push(client.eval(dropTakenScript, 1, queue.toKey('active'), queue.toKey(''), ...ids))
      for (const job of group) void new BullJob(queue, 'investigate', job, {}, jobId(job.run)).addJob(adding)
    }
    await Promise.all([
      // Set with each group, because a flushed Redis forgets it. 0 limits the stream of events to Redis's
      // smallest piece.
      client.hset(this.#bull.meta, 'opts.maxLenEvents', 0),
      client.zadd(registry, ...[...byQueue.keys()].flatMap((name) => [now, name])),
      ...dropped,
      adding.exec().then(throwFirst),
      client.publish(wakes, [...byQueue.keys()].join(' ')),
    ])
  }
}

function throwFirst(results: readonly (readonly [Error | null, unknown])[] | null): void {
  for (const [error] of results ?? []) if (error) throw error
}
