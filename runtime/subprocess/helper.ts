import type { ChildProcess } from 'node:child_process'
import type { Clock, Millis } from '../domain/index.ts'
import { messageOf } from '../errors/index.ts'
import type { FromHelper, ToHelper } from './protocol.ts'
import { TaskLimit } from './task-limit.ts'

/** Answers a question that a task asks. If it throws, the task gets the error's message. */
export type Answerer = (question: unknown) => Promise<unknown>

/** How a task ended. */
export type TaskEnd =
  | { readonly kind: 'done'; readonly body: unknown }
  /** The task's own code threw an error, which is a defect of ours. */
  | { readonly kind: 'failed'; readonly message: string }
  /** It exceeded its time limit, and its process was killed. */
  | { readonly kind: 'late' }
  /** It exceeded its memory limit. */
  | { readonly kind: 'memory' }
  /** Its process ended, or did not start. */
  | { readonly kind: 'died'; readonly message: string }

/** How long a process may take to start. After that it will not start at all. */
const beginning: Millis = 60_000
/** The most characters of its error stream that are kept. */
const mostErrors = 4_000

export interface HelperOptions {
  launch(): ChildProcess
  readonly clock: Clock
  /** The processor time that a process has used, by its id. Null: unknown. */
  readonly processorTime: (pid: number) => Millis | null
}

/** One process that does one task at a time. */
export class Helper {
  readonly #child: ChildProcess
  readonly #clock: Clock
  readonly #processorTime: HelperOptions['processorTime']
  readonly #ready: Promise<void>
  readonly #gone: Promise<void>
  /** What the process has been given to keep, by names that the caller chooses. */
  readonly keeps = new Set<string>()
  #alive = true
  #tasks = 0
  #settle: ((end: TaskEnd) => void) | null = null
  #answers: ((question: number, body: unknown) => Promise<void>) | null = null
  #errors = ''

  constructor({ launch, clock, processorTime }: HelperOptions) {
    this.#clock = clock
    this.#processorTime = processorTime
    this.#child = launch()
    const ready = Promise.withResolvers<void>()
    const gone = Promise.withResolvers<void>()
    this.#ready = ready.promise
    this.#gone = gone.promise
    this.#child.on('message', (message) => {
      if ((message as FromHelper).kind === 'ready') ready.resolve()
      else this.#hear(message as FromHelper)
    })
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = `${this.#errors}${text}`.slice(-mostErrors)
    })
    // Wait until its streams have ended, so that the last error output is included.
    this.#child.on('close', (code, signal) => {
      const end = this.#alive ? ended(code, signal, this.#errors) : { kind: 'late' as const }
      this.#alive = false
      ready.resolve()
      this.#settle?.(end)
      gone.resolve()
    })
    this.#child.on('error', (error) => {
      this.#errors = `${this.#errors}${error.message}`
      if (this.#child.pid === undefined) {
        this.#alive = false
        ready.resolve()
        gone.resolve()
      } else this.#child.kill('SIGKILL')
    })
    this.#rest()
  }

  /** Whether the process can take tasks. */
  get alive(): boolean {
    return this.#alive
  }

  /**
   * Does one task. The next one may begin when it has ended.
   * @param deadline the time limit, counted from when the process is ready; the time of answers does not count. On a busy
   * machine it is stretched: see `TaskLimit`
   * @param answerer absent: the task has no questions
   */
  async run(body: unknown, deadline: Millis, answerer?: Answerer): Promise<TaskEnd> {
    this.#child.ref()
    this.#child.channel?.ref()
    const cancelBeginning = this.#clock.after(beginning, () => this.#kill())
    await this.#ready
    cancelBeginning()
    if (!this.#alive) return { kind: 'died', message: this.#errors }
    return new Promise((resolve) => {
      const limit = new TaskLimit({
        clock: this.#clock,
        limit: deadline,
        processorTime: () => this.#processorTime(this.#child.pid ?? 0),
        over: () => this.#kill(),
      })
      this.#settle = (end) => {
        limit.end()
        this.#settle = null
        this.#answers = null
        this.#rest()
        resolve(end)
      }
      this.#answers = (question, asked) => limit.pausedDuring(() => this.#answer(question, asked, answerer))
      this.#tasks += 1
      this.#send({ kind: 'task', task: this.#tasks, body })
    })
  }

  async close(): Promise<void> {
    this.#kill()
    await this.#gone
  }

  #send(message: ToHelper): void {
    // Without the callback, a process that has just ended would raise an error event.
    this.#child.send(message, () => {})
  }

  async #answer(question: number, body: unknown, answerer: Answerer | undefined): Promise<void> {
    try {
      this.#send({ kind: 'answer', question, body: await answerer?.(body) })
    } catch (error) {
      this.#send({ kind: 'no_answer', question, message: messageOf(error) })
    }
  }

  #kill(): void {
    if (this.#alive) this.#child.kill('SIGKILL')
    this.#alive = false
  }

  /** Lets this process exit while the helper has no task. */
  #rest(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }

  #hear(message: FromHelper): void {
    if (message.kind === 'ready' || message.task !== this.#tasks) return
    if (message.kind === 'question') return void this.#answers?.(message.question, message.body)
    this.#settle?.(message.kind === 'done' ? { kind: 'done', body: message.body } : { kind: 'failed', message: message.message })
  }
}

/** Returns why a process ended that this process did not kill. */
function ended(code: number | null, signal: NodeJS.Signals | null, errors: string): TaskEnd {
  // V8 aborts if its heap is full. The system kills a process if its own memory is full.
  if (signal === 'SIGKILL' || /heap out of memory|heap limit|Allocation failed/i.test(errors)) return { kind: 'memory' }
  return { kind: 'died', message: `It ended with ${signal ?? code}. ${errors}`.trim() }
}
