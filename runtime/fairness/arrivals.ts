/**
 * How much arrives in this process that other work makes room for: alerts that are not stored yet. Whoever ingests counts. Whoever makes room
 * asks for the count, and is told when it falls.
 */
export class Arrivals {
  readonly #listeners = new Set<() => void>()
  #count = 0

  get count(): number {
    return this.#count
  }

  came(): void {
    this.#count += 1
  }

  /** Call it once for everything that ends together. So listeners are told once. */
  went(count: number): void {
    this.#count -= count
    for (const listener of this.#listeners) listener()
  }

  /** Returns a function that ends the listening. */
  onFewer(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
