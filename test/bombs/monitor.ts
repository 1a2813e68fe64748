import { once } from 'node:events'
import type { TocsinProcess } from '../support/processes/tocsin-process.ts'
import type { Question, Reading } from './probe.ts'

/** Reads the probe in the process under fire. */
export class Monitor {
  readonly #process: TocsinProcess
  readonly #gone: Promise<never>
  #last: Promise<unknown> = Promise.resolve()

  constructor(process: TocsinProcess) {
    this.#process = process
    this.#gone = once(process.child, 'exit').then(([code, signal]) => Promise.reject(new Error(`the process ended: ${String(code ?? signal)}`)))
    this.#gone.catch(() => undefined)
  }

  /**
   * Returns what happened since the last reading. Readings do not overlap.
   *
   * @param collect true collects garbage first, which `memory` needs
   */
  read(collect = false): Promise<Reading> {
    const next = this.#last.then(() => this.#ask(collect))
    this.#last = next.catch(() => undefined)
    return next
  }

  async #ask(collect: boolean): Promise<Reading> {
    const { child } = this.#process
    const answer = new Promise<Reading>((resolve) => void child.once('message', (message) => resolve(message as Reading)))
    child.send({ probe: 'read', collect } satisfies Question)
    return Promise.race([answer, this.#gone])
  }
}
