import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Clock } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { Batch, Call, FromThread, Reply, ThreadOptions } from './messages.ts'

interface Waiting {
  readonly call: Call
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** One under way in the thread and one waiting at its door keep it busy; what comes meanwhile goes together in the next. */
const batchesInFlight = 2
const callsInBatch = 1_000

/** A thread that owns one connection to the file, and the calls on their way to it. */
export class Channel {
  readonly #worker: Worker
  readonly #clock: Clock
  readonly #inFlight: Waiting[][] = []
  #waiting: Waiting[] = []
  #scheduled = false
  #ended: TocsinError | null = null

  private constructor(worker: Worker, clock: Clock) {
    this.#worker = worker
    this.#clock = clock
  }

  /** @throws TocsinError `store_newer`, `store_unavailable` */
  static async open(options: ThreadOptions, clock: Clock): Promise<Channel> {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: options })
    const channel = new Channel(worker, clock)
    const [first] = (await once(worker, 'message')) as [FromThread]
    if ('opened' in first && 'failure' in first.opened) throw failureOf(first.opened)
    worker.on('message', (message: FromThread) => channel.#receive(message))
    worker.on('error', (error) =>
      channel.#fail(new TocsinError('store_unavailable', `The store's thread failed: ${error.message}`, [], { cause: error })),
    )
    worker.on('exit', () => channel.#fail(new TocsinError('store_unavailable', 'The store is closed.')))
    return channel
  }

  call(aggregate: string, method: string, parameters: readonly unknown[]): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call: { aggregate, method, parameters }, resolve, reject })
      if (this.#scheduled) return
      this.#scheduled = true
      queueMicrotask(() => {
        this.#scheduled = false
        this.#send()
      })
    })
  }

  async close(): Promise<void> {
    if (this.#ended) return
    const gone = once(this.#worker, 'exit')
    this.#worker.postMessage('close')
    await gone
  }

  #send(): void {
    while (this.#waiting.length > 0 && this.#inFlight.length < batchesInFlight) {
      const group = this.#waiting.splice(0, callsInBatch)
      this.#inFlight.push(group)
      const batch: Batch = { now: this.#clock.now(), calls: group.map(({ call }) => call) }
      this.#worker.postMessage(batch)
    }
  }

  #receive(message: FromThread): void {
    if (!('replies' in message)) return
    const group = this.#inFlight.shift() ?? []
    this.#send()
    for (const [index, { resolve, reject }] of group.entries()) {
      const reply = message.replies[index]
      if (reply && 'value' in reply) resolve(reply.value)
      else reject(failureOf(reply))
    }
  }

  #fail(error: TocsinError): void {
    this.#ended ??= error
    const lost = [...this.#inFlight.splice(0).flat(), ...this.#waiting.splice(0)]
    for (const { reject } of lost) reject(error)
  }
}

function failureOf(reply: Reply | undefined): TocsinError {
  if (!reply || !('failure' in reply)) return new TocsinError('internal', 'The store answered fewer calls than it was asked.')
  const { code, message, places } = reply.failure
  return new TocsinError(code, message, places)
}
