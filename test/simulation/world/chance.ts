import { Dice } from '../../engine/support/random-playbook.ts'

/** The source of all randomness in a simulation. The same seed gives the same world. */
export class Chance {
  readonly #dice: Dice

  constructor(seed: number) {
    this.#dice = new Dice(seed)
  }

  /** Returns whether something with this probability happens (0: never, 1: always). */
  happens(probability: number): boolean {
    return probability > 0 && this.#dice.roll(1_000_000) < probability * 1_000_000
  }

  /** Returns a whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.#dice.roll(high - low + 1)
  }

  /** Returns a delay, mostly short and sometimes up to `high`, as in a network. */
  delay(low: number, high: number): number {
    const share = this.#dice.roll(1_000) / 1_000
    return low + Math.floor((high - low) * share ** 4)
  }

  one<T>(choices: readonly T[]): T {
    return this.#dice.one(choices)
  }

  /** Returns an independent stream, so that what one part draws does not shift what another draws. */
  fork(): Chance {
    return new Chance(this.#dice.roll(0x7fffffff))
  }
}
