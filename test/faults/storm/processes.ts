import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Backends } from '../../support/processes/installation.ts'
import { startManaged } from '../../support/processes/managed.ts'
import type { TocsinProcess } from '../../support/processes/tocsin-process.ts'

const jumpingClock = pathToFileURL(join(import.meta.dirname, '../../support/clocks/jumping-clock.ts')).href

type Command = 'up' | 'serve' | 'worker'

/** A process of Tocsin that is started again whenever it died. */
export class Lives {
  readonly command: Command
  readonly #environment: NodeJS.ProcessEnv
  readonly #log: string[]
  readonly #clock: string
  /** What it printed when its start failed. */
  readonly failedStarts: string[] = []
  #current: TocsinProcess | null = null
  #url = ''

  constructor(command: Command, environment: NodeJS.ProcessEnv, log: string[], clock: string) {
    this.command = command
    this.#environment = { ...environment, NODE_OPTIONS: `--import=${jumpingClock}`, JUMPING_CLOCK: clock }
    this.#log = log
    this.#clock = clock
    this.setClock(0)
  }

  /**
   * Sets its clock, now and after restarts.
   * @param offset from the true time, in milliseconds
   */
  setClock(offset: number): void {
    // Replaces the file in one step, so that a process never reads half a number.
    writeFileSync(`${this.#clock}~`, String(offset))
    renameSync(`${this.#clock}~`, this.#clock)
  }

  /** Where it last listened. */
  get url(): string {
    return this.#url
  }

  /** Whether it has ended by itself, or was killed and not started again. */
  get died(): boolean {
    const child = this.#current?.child
    return !child || child.exitCode !== null || child.signalCode !== null
  }

  /** Starts it. Repeats that while the backends are not there. */
  async start(): Promise<void> {
    this.#current = await startManaged(this.command, this.#environment, this.#log, this.failedStarts)
    this.#url = this.#current.url
  }

  /** Kills it like `kill -9`. */
  async kill(): Promise<void> {
    await this.#current?.kill()
  }

  async stop(): Promise<void> {
    await this.#current?.stop()
  }
}

const commands: Record<Backends, readonly Command[]> = { embedded: ['up'], services: ['serve', 'worker', 'worker'] }

/**
 * Returns all processes of an installation. The first has the API.
 * @param folder holds a file for each process that sets its clock
 */
export function livesOf(backends: Backends, environment: NodeJS.ProcessEnv, log: string[], folder: string): readonly [Lives, ...Lives[]] {
  return commands[backends].map((command, index) => new Lives(command, environment, log, join(folder, `clock-${index}`))) as unknown as readonly [
    Lives,
    ...Lives[],
  ]
}
