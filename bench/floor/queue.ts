import { Queue, Worker } from 'bullmq'
import type { FloorAlert } from './alert.ts'
import { Ends } from './ends.ts'
import { inBulks } from './in-bulks.ts'
import { type FloorRecord, QueueAlone } from './record.ts'
import { concurrency, run, type System } from './run.ts'
import type { Taken } from './server.ts'

const name = 'floor'

/** BullMQ's queue and a worker in the same process. */
export class FloorQueue implements Taken {
  readonly #record: FloorRecord | null
  readonly #queue: Queue<FloorAlert>
  readonly #worker: Worker<FloorAlert>
  readonly #ends = new Ends()

  /** @param redis its address @param record null: the queue alone @param failed is told of a run that failed: the measurement is void then */
  constructor(redis: string, record: FloorRecord | null, system: System, failed: (error: Error) => void) {
    this.#record = record
    const gone = { count: 0 }
    this.#queue = new Queue(name, { connection: { url: redis }, defaultJobOptions: { removeOnComplete: gone, removeOnFail: gone } })
    const options = { connection: { url: redis, maxRetriesPerRequest: null }, concurrency }
    this.#worker = new Worker<FloorAlert>(name, (job) => run(job.data, record ?? new QueueAlone(job), system), options)
    this.#worker.on('completed', ({ data }) => this.#ends.end(data.id))
    this.#worker.on('failed', (_, error) => failed(error))
    this.#worker.on('error', failed)
  }

  get open(): number {
    return this.#ends.open
  }

  async take(alert: FloorAlert): Promise<void> {
    this.#ends.begin()
    await this.#record?.add(alert)
    await this.#add(alert)
  }

  ended(id: string): Promise<void> {
    return this.#ends.of(id)
  }

  async close(): Promise<void> {
    await this.#worker.close()
    await this.#queue.close()
    await this.#record?.close()
  }

  readonly #add = inBulks<FloorAlert, void>(async (alerts) => {
    await this.#queue.addBulk(alerts.map((data) => ({ name: data.type, data, opts: { jobId: data.id } })))
    return alerts.map(() => undefined)
  })
}
