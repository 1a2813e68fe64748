import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Clock } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { currentLane } from '../../../fairness/index.ts'
import { compileCacheVariables } from '../../../subprocess/index.ts'
import { CallQueue } from './call-queue.ts'
import type { Call, Failure, FromThread, Reply, ThreadOptions, ToThread } from './messages.ts'
import { restore } from './short-replies.ts'

interface Waiting {
  readonly lane: string | null
  readonly call: Call
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  /** Gets the value of an early call before its commit. */
  readonly executed?: (value: unknown) => void
}

/** The answers of an early call. */
export interface EarlyAnswer {
  /** Resolves before the commit, which may still fail. Never settles if the thread does not answer early. */
  readonly executed: Promise<unknown>
  /** Resolves when the call is committed. @throws TocsinError */
  readonly committed: Promise<unknown>
}

/** What a thread reports without being asked. */
export type Told =
  | Exclude<FromThread, { readonly kind: 'opened' | 'executed' | 'replies' | 'finished' }>
  | { readonly kind: 'failed'; readonly failure: Failure }

/**
 * How many batches a thread has at a time. The calls of a batch share one commit of the writer, and a commit costs as much as several calls. So the
 * writer has one batch, and the calls that arrive meanwhile share the next one. For the reader, the next batch is there when one is done.
 */
const batchesInFlight = { writer: 1, reader: 2 } as const

/** After a batch with more calls than this, many runs share commits, and the next batch waits for more of them. */
const callsOfLarge = 8
/** How many rounds of the event loop a batch waits after a large one. */
const roundsAfterLarge = 3

/** Whether somebody outside waits for the call. A source sends its next alert only when this one is acknowledged. */
function isUrgent({ aggregate, method }: Call): boolean {
  return aggregate === 'alerts' && method === 'insert'
}

/** V8's young objects in each thread, in mebibytes: 4 for each half, and 4 for large ones. A batch is garbage as soon as it is answered. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 }

/** A thread with its own connection to the file, and the calls on their way to it. */
export class Channel {
  readonly #worker: Worker
  readonly #clock: Clock
  readonly #hear: (told: Told) => void
  readonly #most: number
  readonly #inFlight: Waiting[][] = []
  readonly #waiting = new CallQueue<Waiting>()
  #scheduled = false
  #scheduledNow = false
  /** How many calls the last batch had. */
  #lastCalls = 0
  /** Whether a call that waits is urgent. */
  #urgent = false
  #refused: TocsinError | null = null
  #ended: TocsinError | null = null
  #finishing: Promise<void> | null = null
  #closing: Promise<void> | null = null

  private constructor(worker: Worker, role: ThreadOptions['role'], clock: Clock, hear: (told: Told) => void) {
    this.#worker = worker
    this.#most = batchesInFlight[role]
    this.#clock = clock
    this.#hear = hear
  }

  /**
   * Starts the thread. It loads its code, and opens the file at `open`. So several threads can start at once.
   * @param hear receives what the thread reports without being asked
   */
  static start(options: ThreadOptions, clock: Clock, hear: (told: Told) => void): Channel {
    const env = { ...process.env, ...compileCacheVariables() }
    const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: options, resourceLimits, env })
    const channel = new Channel(worker, options.role, clock, hear)
    worker.on('message', (message: FromThread) => channel.#receive(message))
    worker.on('error', (error) =>
      channel.#fail(new TocsinError('store_unavailable', `The store's thread failed: ${error.message}`, [], { cause: error })),
    )
    worker.on('exit', () => channel.#fail(closed()))
    return channel
  }

  /** Waits until the thread has opened the file. @throws TocsinError if the file cannot be opened */
  async open(): Promise<void> {
    if (this.#ended) throw this.#ended
    this.#post({ kind: 'open' })
    await this.#opened()
  }

  /**
   * Makes the store ready for calls. Only for the writer.
   * @throws TocsinError if the migration or the first write fails
   */
  async begin(): Promise<void> {
    this.#post({ kind: 'begin', now: this.#clock.now() })
    await this.#opened()
  }

  /** Tells the writer to check its files. */
  look(): void {
    if (!this.#ended && !this.#finishing) this.#post({ kind: 'look', now: this.#clock.now() })
  }

  /**
   * Rejects every call with the error, including those under way, because the thread cannot answer now. With
   * null, calls go to the thread again.
   */
  refuse(error: TocsinError | null): void {
    this.#refused = error
    if (!error) return
    // The replies still arrive, and each needs a group to answer.
    const lost = this.#inFlight.flatMap((group) => group.splice(0))
    for (const { reject } of [...lost, ...this.#waiting.clear()]) reject(error)
  }

  call(aggregate: string, method: string, parameters: readonly unknown[]): Promise<unknown> {
    return this.#call({ aggregate, method, parameters })
  }

  /** Calls, and also gets the value before the commit, if the batch is small. */
  callEarly(aggregate: string, method: string, parameters: readonly unknown[]): EarlyAnswer {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    return { executed: promise, committed: this.#call({ aggregate, method, parameters, early: true }, resolve) }
  }

  #call(call: Call, executed?: Waiting['executed']): Promise<unknown> {
    const refusal = this.#ended ?? (this.#finishing ? closed() : this.#refused)
    if (refusal) return Promise.reject(refusal)
    if (isUrgent(call)) this.#urgent = true
    const lane = currentLane()
    return new Promise((resolve, reject) => {
      this.#waiting.push({ lane, call, resolve, reject, ...(executed && { executed }) })
      if (this.#waiting.isLightBesideHeavy(lane)) this.#sendNow()
      else this.#sendSoon()
    })
  }

  /** Sends when the code that runs now waits for something, with the calls that it makes until then. */
  #sendNow(): void {
    if (this.#scheduledNow) return
    this.#scheduledNow = true
    afterMicrotasks(() => {
      this.#scheduledNow = false
      this.#send()
    })
  }

  /**
   * Sends at the end of this round of the event loop. Requests and answers that the round has read cause more calls, and these share the batch.
   * After a large batch it waits for some more rounds, unless a call is urgent. While the process is busy, these bring more calls for the same
   * commit. An idle process has no work in them, so they take no time.
   */
  #sendSoon(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    this.#sendAfter(this.#lastCalls > callsOfLarge ? roundsAfterLarge : 1)
  }

  #sendAfter(rounds: number): void {
    setImmediate(() => {
      if (rounds > 1 && !this.#urgent && !this.#waiting.isBesideLight) return this.#sendAfter(rounds - 1)
      this.#scheduled = false
      this.#send()
    })
  }

  /**
   * Refuses later calls. Resolves when the thread has answered the calls made so far, and the writer has
   * checked its files. All callers wait for the same end.
   */
  finish(): Promise<void> {
    this.#finishing ??= this.#ended ? Promise.resolve() : this.#finish()
    return this.#finishing
  }

  #finish(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#worker.on('message', ({ kind }: FromThread) => {
      if (kind === 'finished') resolve()
    })
    this.#worker.once('exit', () => resolve())
    // The thread answers nothing after this. So the calls that wait are sent before it, however many batches
    // are under way.
    this.#send(Number.POSITIVE_INFINITY)
    this.#post({ kind: 'finish', now: this.#clock.now() })
    return promise
  }

  /** Finishes, and ends the thread. All callers wait for the same end. */
  close(): Promise<void> {
    this.#closing ??= this.#ended ? Promise.resolve() : this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const gone = once(this.#worker, 'exit')
    await this.finish()
    this.#post({ kind: 'close', now: this.#clock.now() })
    await gone
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message)
  }

  /** Waits for the thread's report that it is open, or why it is not. */
  #opened(): Promise<void> {
    return new Promise((resolve, reject) => {
      const heard = (message: FromThread): void => {
        if (message.kind !== 'opened') return
        done()
        if ('failure' in message.reply) reject(errorOf(message.reply))
        else resolve()
      }
      const failed = (error: Error): void => {
        done()
        reject(error)
      }
      const done = (): void => {
        this.#worker.off('message', heard)
        this.#worker.off('error', failed)
      }
      this.#worker.on('message', heard)
      this.#worker.on('error', failed)
    })
  }

  #send(inFlight = this.#most): void {
    while (this.#waiting.size > 0 && this.#inFlight.length < inFlight) {
      const group = this.#waiting.nextBatch()
      this.#lastCalls = group.length
      if (this.#waiting.size === 0) this.#urgent = false
      this.#inFlight.push(group)
      this.#post({ kind: 'batch', now: this.#clock.now(), calls: group.map(({ call }) => call) })
    }
  }

  #receive(message: FromThread): void {
    if (message.kind === 'opened' || message.kind === 'finished') return
    if (message.kind === 'executed') return this.#executed(message.values)
    if (message.kind !== 'replies') return this.#hear(message)
    const group = this.#inFlight.shift() ?? []
    const fault = message.replies.find((reply) => 'failure' in reply && reply.failure.fault !== undefined)
    if (fault && 'failure' in fault) this.#hear({ kind: 'failed', failure: fault.failure })
    const answers = group.map((waiting, index): Answer => ({ waiting, reply: message.replies[index] }))
    if (!this.#waiting.isBesideLight) {
      if (this.#waiting.size > 0) this.#sendSoon()
      return settle(answers)
    }
    const [first, others] = [[] as Answer[], [] as Answer[]]
    for (const answer of answers) (this.#waiting.isLightBesideHeavy(answer.waiting.lane) ? first : others).push(answer)
    // The answers of a flood cause much work. A call of another lane is sent before that, and so is the next call of a run that is answered now.
    if (this.#waiting.lightWaits) this.#send()
    else if (this.#waiting.size > 0) this.#sendSoon()
    settle(first)
    afterMicrotasks(() => settle(others))
  }

  /** Answers early calls. The thread works on one batch after the other, so they are in the first one. What was rejected meanwhile is not there. */
  #executed(values: readonly (readonly [number, unknown])[]): void {
    for (const [index, value] of values) {
      const waiting = this.#inFlight[0]?.[index]
      waiting?.executed?.(restore(value, waiting.call))
    }
  }

  #fail(error: TocsinError): void {
    this.#ended ??= error
    const lost = [...this.#inFlight.splice(0).flat(), ...this.#waiting.clear()]
    for (const { reject } of lost) reject(error)
  }
}

interface Answer {
  readonly waiting: Waiting
  readonly reply: Reply | undefined
}

function settle(answers: readonly Answer[]): void {
  for (const { waiting, reply } of answers) {
    if (reply && 'value' in reply) waiting.resolve(restore(reply.value, waiting.call))
    else waiting.reject(errorOf(reply))
  }
}

/** Calls back when all code that runs now waits for something. */
function afterMicrotasks(callback: () => void): void {
  queueMicrotask(() => process.nextTick(callback))
}

const closed = (): TocsinError => new TocsinError('store_unavailable', 'The store is closed.')

function errorOf(reply: Reply | undefined): TocsinError {
  if (!reply || !('failure' in reply)) return new TocsinError('internal', 'The store answered fewer calls than it received.')
  const { code, message, places, remedy } = reply.failure
  return new TocsinError(code, message, places, remedy === undefined ? {} : { remedy })
}
