import { Queue, Worker } from 'bullmq'
import type { FloorAlert } from './alert.ts'
import { inBulks } from './in-bulks.ts'
import type { FloorRecord } from './record.ts'
import { run } from './run.ts'
import type { Taken } from './server.ts'
import type { SystemClient } from './system-client.ts'

/** How many runs go on at the same time. */
const concurrency = 64
const name = 'floor'

/** BullMQ's queue and a worker in the same process. */
export class FloorQueue implements Taken {
  readonly #record: FloorRecord
  readonly #queue: Queue<FloorAlert>
  readonly #worker: Worker<FloorAlert>
  readonly #waiting = new Map<string, () => void>()
  #open = 0

  /** @param redis its address @param failed is told of a run that failed: the measurement is void then */
  constructor(redis: string, record: FloorRecord, system: SystemClient, failed: (error: Error) => void) {
    this.#record = record
    const gone = { count: 0 }
    this.#queue = new Queue(name, { connection: { url: redis }, defaultJobOptions: { removeOnComplete: gone, removeOnFail: gone } })
    const options = { connection: { url: redis, maxRetriesPerRequest: null }, concurrency }
    this.#worker = new Worker<FloorAlert>(name, (job) => run(job, record, system), options)
    this.#worker.on('completed', ({ data }) => {
      this.#open -= 1
      this.#waiting.get(data.id)?.()
      this.#waiting.delete(data.id)
    })
    this.#worker.on('failed', (_, error) => failed(error))
    this.#worker.on('error', failed)
  }

  get open(): number {
    return this.#open
  }

  async take(alert: FloorAlert): Promise<void> {
    this.#open += 1
    await this.#record.add(alert)
    await this.#add(alert)
  }

  ended(id: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(id, resolve))
  }

  async close(): Promise<void> {
    await this.#worker.close()
    await this.#queue.close()
  }

  readonly #add = inBulks<FloorAlert, void>(async (alerts) => {
    await this.#queue.addBulk(alerts.map((data) => ({ name: data.type, data, opts: { jobId: data.id } })))
    return alerts.map(() => undefined)
  })
}
