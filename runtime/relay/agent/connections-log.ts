import type { Clock, Millis } from '../../domain/index.ts'
import type { Log } from './log.ts'
import type { Target } from './target.ts'

const interval: Millis = 10_000
/** The most lines of an interval that are written at once. The others are counted. */
const mostLines = 100
/** The most targets and outcomes that are counted by themselves. */
const mostCounted = 100

interface Counted {
  readonly target: Target
  readonly outcome: string
  times: number
}

/**
 * Logs where the agent connects. Whoever poses as Tocsin may ask for thousands of connections a second, which must not fill the disk. So
 * beyond `mostLines`, equal lines are counted, and come every ten seconds as one line with `times`.
 */
export class ConnectionsLog {
  readonly #log: Log
  readonly #clock: Pick<Clock, 'after'>
  readonly #counted = new Map<string, Counted>()
  #lines = 0
  /** Those that had no place among the counted ones. */
  #others = 0
  #cancel: (() => void) | null = null

  constructor(log: Log, clock: Pick<Clock, 'after'>) {
    this.#log = log
    this.#clock = clock
  }

  /** Logs what came of a connection. */
  readonly told = (target: Target, outcome: string): void => {
    this.#cancel ??= this.#clock.after(interval, () => this.close())
    this.#lines += 1
    if (this.#lines <= mostLines) this.#log(outcome, { host: target.host, port: target.port })
    else this.#count(target, outcome)
  }

  /** Logs what was counted, and begins anew. */
  close(): void {
    this.#cancel?.()
    this.#cancel = null
    this.#lines = 0
    for (const { target, outcome, times } of this.#counted.values()) this.#log(outcome, { host: target.host, port: target.port, times })
    this.#counted.clear()
    if (this.#others > 0) this.#log('other targets', { times: this.#others })
    this.#others = 0
  }

  #count(target: Target, outcome: string): void {
    const key = JSON.stringify([target.host, target.port, outcome])
    const standing = this.#counted.get(key)
    if (standing) standing.times += 1
    else if (this.#counted.size < mostCounted) this.#counted.set(key, { target, outcome, times: 1 })
    else this.#others += 1
  }
}
