import { type Clock, type Millis, type Pause, systemScope } from '../../domain/index.ts'
import type { Store } from '../../storage/index.ts'

/** A look that was begun ahead counts for so long, like the one right before the socket. */
const freshFor: Millis = 500

interface Look {
  readonly at: Millis
  readonly standing: Promise<readonly Pause[]>
}

/** The looks for pauses before the intents of a run's writes. */
export class PauseLooks {
  readonly #store: Pick<Store, 'pauses'>
  readonly #clock: Pick<Clock, 'now'>
  /** Looks that were begun ahead, each for the write at one address. Null: there were none. */
  #ahead: Map<string, Look> | null = null
  #opening: boolean

  /** @param opened resolves when the run's case exists; null: it does */
  constructor(store: Pick<Store, 'pauses'>, clock: Pick<Clock, 'now'>, opened: Promise<void> | null) {
    this.#store = store
    this.#clock = clock
    this.#opening = opened !== null
    const end = (): void => {
      this.#opening = false
    }
    opened?.then(end, end)
  }

  /** Begins the look of a write while it has to wait for the run's case. Does nothing later: then it would not be sooner. */
  lookAhead(address: string): void {
    if (!this.#opening) return
    const standing = this.#read()
    // `standing` reports it, if the write comes so far.
    standing.catch(() => undefined)
    this.#ahead ??= new Map()
    this.#ahead.set(address, { at: this.#clock.now(), standing })
  }

  /**
   * Returns the active pauses, read from the store for the write at this address.
   * @throws the store's error
   */
  standing(address: string): Promise<readonly Pause[]> {
    const ahead = this.#ahead?.get(address)
    // A second try of the same write looks again.
    this.#ahead?.delete(address)
    const age = ahead ? this.#clock.now() - ahead.at : 0
    return ahead && age >= 0 && age <= freshFor ? ahead.standing : this.#read()
  }

  #read(): Promise<readonly Pause[]> {
    return this.#store.pauses.standing(systemScope)
  }
}
