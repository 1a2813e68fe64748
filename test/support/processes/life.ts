import type { ChildProcess } from 'node:child_process'
import { addMishap, takeBackMishap } from '../mishaps.ts'

/** How a process ended: its exit code, or the signal that ended it. */
export interface End {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** How much of what a process has printed is kept, in characters. */
const longestOutput = 4_000
/** The processes that run. If tests run out of time, some may be left. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** The life of a process that a test has started. If it ends although the test neither told it to nor expects its end, `until` throws. */
export class Life {
  readonly #name: string
  readonly #child: ChildProcess
  readonly #end: Promise<End>
  /** Rejects when all that it printed is here, or when it cannot be started. */
  readonly #over: Promise<never>
  #expected = false
  #printed = ''

  /** @param name names it in errors: `tocsin up` */
  constructor(name: string, child: ChildProcess) {
    this.#name = name
    this.#child = child
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data) => {
        this.#printed = `${this.#printed}${data}`.slice(-longestOutput)
      })
    running.add(child)
    const kill = child.kill.bind(child)
    child.kill = (signal) => {
      if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') this.#expected = true
      return kill(signal)
    }
    this.#end = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        running.delete(child)
        if (!this.#expected) addMishap(this, () => this.describe())
        resolve({ code, signal })
      })
    })
    this.#over = new Promise((_, reject) => {
      child.once('error', reject)
      // Not `exit`: what it printed may come later.
      child.once('close', () => reject(new Error(this.describe())))
    })
    this.#over.catch(() => {})
  }

  /** Resolves when it has ended, even if that was before. Who calls this expects the end. */
  ended(): Promise<End> {
    this.#expected = true
    takeBackMishap(this)
    return this.#end
  }

  /**
   * Resolves as `ready` does.
   * @throws with what the process printed, if it ends first or cannot be started
   */
  async before<T>(ready: Promise<T>): Promise<T> {
    this.#expected = true
    const value = await Promise.race([ready, this.#over])
    this.#expected = false
    return value
  }

  /** Kills it like `kill -9`, and resolves when it has ended. */
  async kill(): Promise<void> {
    await this.#endWith('SIGKILL')
  }

  /** Tells it to stop, and resolves when it has ended. A process that a test has stalled continues first. */
  async stop(): Promise<void> {
    this.#child.kill('SIGCONT')
    await this.#endWith('SIGTERM')
  }

  /** Says how it ended, and what it printed last. */
  describe(): string {
    const { exitCode, signalCode } = this.#child
    return `${this.#name} ended with ${exitCode ?? signalCode}. It had printed:\n${this.#printed || '(nothing)'}`
  }

  async #endWith(signal: NodeJS.Signals): Promise<void> {
    const { exitCode, signalCode } = this.#child
    if (exitCode === null && signalCode === null) this.#child.kill(signal)
    await this.#end
  }
}
