import { once } from 'node:events'
import type { TocsinProcess } from '../support/tocsin-process.ts'
import type { Question, Reading } from './probe.ts'

/** Reads the probe in the process under fire. */
export class Monitor {
  readonly #process: TocsinProcess
  #last: Promise<unknown> = Promise.resolve()

  constructor(process: TocsinProcess) {
    this.#process = process
  }

  /**
   * What happened since the last reading. Readings do not overlap.
   * @param collect whether to collect garbage first, so that `memory` is told
   */
  read(collect = false): Promise<Reading> {
    const next = this.#last.then(() => this.#ask(collect))
    this.#last = next.catch(() => undefined)
    return next
  }

  async #ask(collect: boolean): Promise<Reading> {
    const { child } = this.#process
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the process ended: ${child.exitCode ?? child.signalCode}`)
    const gone = once(child, 'exit').then(([code, signal]) => Promise.reject(new Error(`the process ended: ${String(code ?? signal)}`)))
    gone.catch(() => undefined)
    const answer = once(child, 'message')
    child.send({ probe: 'read', collect } satisfies Question)
    const [reading] = await Promise.race([answer, gone])
    return reading as Reading
  }
}
