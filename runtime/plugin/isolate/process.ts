import type { ChildProcess } from 'node:child_process'
import type { Clock } from '../../domain/index.ts'
import type { Bundle } from '../bundle.ts'
import { launch } from './launch.ts'
import { type FromIsolates, type IsolateEnd, memoryExit, type SayLimits, type ToIsolates } from './protocol.ts'

/** A call of a handler or a script. */
export interface IsolateJob {
  /** Who the call counts for when slots are shared: an organization, or empty for the installation itself. */
  readonly owner: string
  readonly bundle: Bundle
  /** The heap, in bytes. */
  readonly memory: number
  readonly limits: SayLimits
  /** The JSON that the handler starts with. */
  readonly start: string
  /** Ends the call as `stopped`, whether or not it has started. */
  readonly signal: AbortSignal
  /** Set if the call started before and its process ended. It then waits for a slot without a time limit. */
  readonly again?: boolean
  /** Set if the call needs a process of its own, because it may have killed the shared one. */
  readonly alone?: boolean
  /** Called when its code starts. Waiting for a slot and a process does not count as its time. */
  begun(): void
  /**
   * Does what the handler asks of the host. Takes and returns JSON. If it rejects, the call ends, and
   * `run` rejects with the same error.
   */
  ask(op: string, body: string): Promise<string>
}

const mebibyte = 1024 * 1024
/**
 * How long a call may take to stop, in milliseconds. After that its process is killed, because some
 * operations of the engine cannot be interrupted.
 */
const patience = 2_000
/** How long a process may take to start a call, in milliseconds. One that takes longer is broken. */
const beginning = 60_000

interface Running {
  readonly job: IsolateJob
  begun(): void
  settle(end: IsolateEnd): void
  fail(error: unknown): void
}

/** One isolate process and the calls in it. */
export class IsolateProcess {
  readonly #child: ChildProcess
  readonly #calls = new Map<number, Running>()
  /** Digests of the scripts that the process has. */
  readonly #has = new Set<string>()
  readonly #gone: Promise<void>
  readonly #clock: Clock
  #alive = true

  /** @param alone whether the process serves one call only. If it ends, that call is the cause */
  constructor(clock: Clock, alone: boolean) {
    this.#clock = clock
    this.#child = launch()
    this.#child.on('message', (messages) => {
      for (const message of messages as readonly FromIsolates[]) this.#hear(message)
    })
    this.#gone = new Promise((resolve) => {
      this.#child.on('exit', (code) => {
        const killed = !this.#alive
        this.#alive = false
        const kind = killed ? 'displaced' : alone && code === memoryExit ? 'memory' : 'died'
        for (const { settle } of [...this.#calls.values()]) settle({ kind })
        resolve()
      })
    })
    this.#child.on('error', () => this.#child.kill('SIGKILL'))
    this.#rest()
  }

  /** Returns whether calls may start here. */
  get alive(): boolean {
    return this.#alive
  }

  get calls(): number {
    return this.#calls.size
  }

  /** Returns whether the process has compiled this script, or will. */
  has({ digest }: Bundle): boolean {
    return this.#has.has(digest)
  }

  run(call: number, job: IsolateJob): Promise<IsolateEnd> {
    const { bundle, memory, start, limits, signal } = job
    return new Promise((resolve, reject) => {
      let cancelKill: (() => void) | null = null
      const cancelBeginning = this.#clock.after(beginning, () => this.#kill())
      const stop = (): void => {
        if (cancelKill) return
        this.#say({ kind: 'stop', call })
        cancelKill = this.#clock.after(patience, () => {
          settle({ kind: 'stopped' })
          this.#kill()
        })
      }
      const begun = (): void => {
        cancelBeginning()
        job.begun()
      }
      const settle = (ended: IsolateEnd): void => {
        cancelBeginning()
        cancelKill?.()
        signal.removeEventListener('abort', stop)
        this.#calls.delete(call)
        this.#rest()
        resolve(ended)
      }
      // The caller gets the error at once. The call stays here until it has stopped, or its process is
      // killed.
      const fail = (error: unknown): void => {
        reject(error as Error)
        stop()
      }
      this.#calls.set(call, { job, begun, settle, fail })
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
        limits,
      })
      signal.addEventListener('abort', stop)
      if (signal.aborted) stop()
    })
  }

  async close(): Promise<void> {
    this.#kill()
    await this.#gone
  }

  /** Kills the process. Its calls must start again in another one. */
  #kill(): void {
    if (this.#alive) this.#child.kill('SIGKILL')
    this.#alive = false
  }

  /** While no call runs, this process does not keep the runtime alive. */
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
    // Ignore what a call still sends after it was abandoned.
    if (!running) return
    if (message.kind === 'begun') return running.begun()
    if (message.kind === 'ended') return running.settle(message.end)
    const { call, ask, op, body } = message
    running.job.ask(op, body).then(
      (reply) => this.#say({ kind: 'reply', call, ask, body: reply }),
      (error: unknown) => running.fail(error),
    )
  }
}
