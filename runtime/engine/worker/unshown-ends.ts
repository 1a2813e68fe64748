import type { AlertUuid, Clock, Millis } from '../../domain/index.ts'

/** A process that told an end may die before it shows it. Nobody waits for longer than this. The sweeper shows it later. */
const patience: Millis = 2_000

interface Unshown {
  readonly shown: Promise<void>
  readonly settle: () => void
}

/** Ends that somebody here was told, and that reads of the store may not show yet. */
export class UnshownEnds {
  readonly #clock: Pick<Clock, 'after'>
  readonly #idle: () => void
  readonly #ends = new Map<AlertUuid, Unshown>()

  /** @param idle is called when none is left */
  constructor(clock: Pick<Clock, 'after'>, idle: () => void) {
    this.#clock = clock
    this.#idle = idle
  }

  get size(): number {
    return this.#ends.size
  }

  has(alert: AlertUuid): boolean {
    return this.#ends.has(alert)
  }

  add(alert: AlertUuid): void {
    if (this.#ends.has(alert)) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = this.#clock.after(patience, () => this.remove(alert))
    const settle = (): void => {
      cancel()
      resolve()
    }
    this.#ends.set(alert, { shown: promise, settle })
  }

  /** Call when reads show the end. */
  remove(alert: AlertUuid): void {
    this.#ends.get(alert)?.settle()
    if (this.#ends.delete(alert) && this.#ends.size === 0) this.#idle()
  }

  /** Resolves when reads show the end. Null: they do. */
  shown(alert: AlertUuid): Promise<void> | null {
    return this.#ends.get(alert)?.shown ?? null
  }
}
