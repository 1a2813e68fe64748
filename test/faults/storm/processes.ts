import { once } from 'node:events'
import type { Backends } from '../../support/installation.ts'
import { spawnTocsin, type TocsinProcess } from '../../support/tocsin-process.ts'

type Command = 'up' | 'serve' | 'worker'

/** A process of Tocsin that is started again whenever it died. */
export class Lives {
  readonly command: Command
  readonly #environment: NodeJS.ProcessEnv
  readonly #log: string[]
  #current: TocsinProcess | null = null
  #url = ''

  constructor(command: Command, environment: NodeJS.ProcessEnv, log: string[]) {
    this.command = command
    this.#environment = environment
    this.#log = log
  }

  /** Where it listened last. */
  get url(): string {
    return this.#url
  }

  /** Starts it, again and again while what it needs is not there. */
  async start(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        this.#current = await spawnTocsin(this.command, this.#environment, this.#log)
        this.#url = this.#current.url
        return
      } catch (error) {
        if (tries === 20) throw error
      }
    }
  }

  /** `kill -9` */
  async kill(): Promise<void> {
    const child = this.#current?.child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  /** Lets it stand still, as a machine that swaps or is moved does. */
  freeze(): void {
    this.#current?.child.kill('SIGSTOP')
  }

  thaw(): void {
    this.#current?.child.kill('SIGCONT')
  }

  async stop(): Promise<void> {
    this.thaw()
    await this.#current?.stop()
  }
}

const commands: Record<Backends, readonly Command[]> = { embedded: ['up'], services: ['serve', 'worker', 'worker'] }

/** All processes of an installation; the first has the API. */
export function livesOf(backends: Backends, environment: NodeJS.ProcessEnv, log: string[]): readonly [Lives, ...Lives[]] {
  return commands[backends].map((command) => new Lives(command, environment, log)) as unknown as readonly [Lives, ...Lives[]]
}
