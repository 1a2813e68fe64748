import { Dice } from '../../engine/support/random-playbook.ts'

/** Everything that a simulation leaves to chance comes from here: the same seed, the same world. */
export class Chance {
  readonly #dice: Dice

  constructor(seed: number) {
    this.#dice = new Dice(seed)
  }

  /** Whether something happens that happens so often (0: never, 1: always). */
  happens(probability: number): boolean {
    return probability > 0 && this.#dice.roll(1_000_000) < probability * 1_000_000
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.#dice.roll(high - low + 1)
  }

  /** Short mostly, and sometimes as long as `high`: what takes time in a network does so. */
  delay(low: number, high: number): number {
    const share = this.#dice.roll(1_000) / 1_000
    return low + Math.floor((high - low) * share ** 4)
  }

  one<T>(choices: readonly T[]): T {
    return this.#dice.one(choices)
  }

  /** A stream of its own, so that what one part draws does not shift what another does. */
  fork(): Chance {
    return new Chance(this.#dice.roll(0x7fffffff))
  }
}
