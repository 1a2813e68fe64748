import type { ChildProcess } from 'node:child_process'
import type { Clock } from '../../domain/index.ts'
import type { Bundle } from '../types.ts'
import { launch } from './launch.ts'
import { type FromIsolates, type IsolateEnd, memoryExit, type ToIsolates } from './protocol.ts'
import { Semaphore } from './semaphore.ts'

/** A call of a handler. */
export interface IsolateJob {
  readonly bundle: Bundle
  /** Bytes of heap. */
  readonly memory: number
  /** JSON of what the handler begins with. */
  readonly start: string
  /** Ends the call as `stopped`, whether or not it has begun. */
  readonly signal: AbortSignal
  /** In a process of its own: for a call under which the others' process ended, and which may have been what ended it. */
  readonly alone?: boolean
  /** What the handler asks of the host, with a JSON text, and is answered with one. A rejection ends the call, and `run` rejects with it. */
  ask(op: string, body: string): Promise<string>
}

/** Runs handlers in isolates: so many at once, the others wait for their turn. */
export interface Isolates {
  run(job: IsolateJob): Promise<IsolateEnd>
  close(): Promise<void>
}

const mebibyte = 1024 * 1024
/** So long may a call take to stop before the process is ended under it: some operations of the engine cannot be interrupted. */
const patience = 1_000
/** Calls that have a process of their own. */
const mostAlone = 2

interface Running {
  readonly job: IsolateJob
  settle(end: IsolateEnd): void
  fail(error: unknown): void
}

/** One process, and the calls in it. */
class IsolateProcess {
  readonly #child: ChildProcess
  readonly #calls = new Map<number, Running>()
  /** Digests of the scripts that the process has. */
  readonly #has = new Set<string>()
  readonly #gone: Promise<void>
  readonly #clock: Clock
  alive = true

  /** @param alone whether it serves one call only: then that call is why it ended */
  constructor(clock: Clock, alone: boolean) {
    this.#clock = clock
    this.#child = launch()
    this.#child.on('message', (message) => this.#hear(message as FromIsolates))
    this.#gone = new Promise((resolve) => {
      this.#child.on('exit', (code) => {
        this.alive = false
        for (const { settle } of this.#calls.values()) settle({ kind: alone && code === memoryExit ? 'memory' : 'died' })
        this.#calls.clear()
        resolve()
      })
    })
    // The calls keep the process, not it them.
    this.#child.on('error', () => this.#child.kill('SIGKILL'))
    this.#rest()
  }

  run(call: number, job: IsolateJob): Promise<IsolateEnd> {
    const { bundle, memory, start, signal } = job
    return new Promise((resolve, reject) => {
      let cancel: (() => void) | null = null
      const stop = (): void => {
        if (cancel) return
        this.#say({ kind: 'stop', call })
        cancel = this.#clock.after(patience, () => {
          settle({ kind: 'stopped' })
          this.#kill()
        })
      }
      const settle = (ended: IsolateEnd): void => {
        cancel?.()
        signal.removeEventListener('abort', stop)
        this.#calls.delete(call)
        this.#rest()
        resolve(ended)
      }
      // Whoever waits is told at once; the call keeps its place here until it has stopped, or the process is ended under it.
      const fail = (error: unknown): void => {
        reject(error as Error)
        stop()
      }
      this.#calls.set(call, { job, settle, fail })
      this.#child.ref()
      this.#child.channel?.ref()
      const known = this.#has.has(bundle.digest)
      this.#has.add(bundle.digest)
      this.#say({
        kind: 'run',
        call,
        digest: bundle.digest,
        ...(known ? {} : { script: bundle.text }),
        memory: Math.floor(memory / mebibyte),
        start,
      })
      signal.addEventListener('abort', stop)
      if (signal.aborted) stop()
    })
  }

  async close(): Promise<void> {
    this.#kill()
    await this.#gone
  }

  /** No call begins here any more. */
  #kill(): void {
    if (this.alive) this.#child.kill('SIGKILL')
    this.alive = false
  }

  #rest(): void {
    if (this.#calls.size > 0) return
    this.#child.unref()
    this.#child.channel?.unref()
  }

  #say(message: ToIsolates): void {
    if (this.#child.connected) this.#child.send(message, () => {})
  }

  #hear(message: FromIsolates): void {
    const running = this.#calls.get(message.call)
    // What a call still says after it was given up is nobody's.
    if (!running) return
    if (message.kind === 'ended') return running.settle(message.end)
    const { call, ask, op, body } = message
    running.job.ask(op, body).then(
      (reply) => this.#say({ kind: 'reply', call, ask, body: reply }),
      (error: unknown) => running.fail(error),
    )
  }
}

/**
 * Isolates live in a process of their own, which is begun with the first call and again after it died: one that breaks takes no run
 * with it (docs/decisions/0009).
 * @param size calls at once
 */
export function createIsolates(size: number, clock: Clock): Isolates {
  const together = new Semaphore(size)
  const alone = new Semaphore(mostAlone)
  const apart = new Set<IsolateProcess>()
  let shared: IsolateProcess | null = null
  let calls = 0
  let closed = false

  const runAlone = (job: IsolateJob): Promise<IsolateEnd> =>
    alone.within(job.signal, async () => {
      const own = new IsolateProcess(clock, true)
      apart.add(own)
      try {
        return await own.run(++calls, job)
      } finally {
        await own.close()
        apart.delete(own)
      }
    })

  return {
    run(job) {
      return together.within(job.signal, () => {
        if (closed) return Promise.resolve({ kind: 'stopped' })
        if (job.alone) return runAlone(job)
        if (!shared?.alive) shared = new IsolateProcess(clock, false)
        return shared.run(++calls, job)
      })
    },
    async close() {
      closed = true
      await Promise.all([shared, ...apart].map((one) => one?.close()))
    },
  }
}
