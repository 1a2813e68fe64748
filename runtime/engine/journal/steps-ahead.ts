/** Yields the addresses that contain a step: its own, those above it, and the run's (empty). */
export function* holders(address: string): Generator<string> {
  for (let holder = address; holder !== ''; holder = holder.slice(0, Math.max(holder.lastIndexOf('/'), 0))) yield holder
  yield ''
}

/** Steps that were begun before and are still to be passed. */
export class StepsAhead {
  readonly #steps = new Set<string>()
  /** How many of them are at or below an address. */
  readonly #in = new Map<string, number>()
  readonly #detached = new Set<string>()

  constructor(steps: Iterable<string> = []) {
    for (const step of steps) this.add(step)
  }

  add(step: string): void {
    if (this.#steps.has(step)) return
    this.#steps.add(step)
    for (const holder of holders(step)) this.#in.set(holder, (this.#in.get(holder) ?? 0) + 1)
  }

  /** Call when a step has been passed. */
  delete(step: string): void {
    if (!this.#steps.delete(step)) return
    this.#take(step, 1)
  }

  /** Counts the steps at or below an address no longer in those that contain it. */
  detach(address: string): void {
    if (this.#detached.has(address)) return
    const count = this.#in.get(address) ?? 0
    this.#take(address, count)
    this.#in.set(address, count)
    this.#detached.add(address)
  }

  #take(from: string, count: number): void {
    for (const holder of holders(from)) {
      this.#in.set(holder, (this.#in.get(holder) ?? 0) - count)
      if (this.#detached.has(holder)) return
    }
  }

  /** Returns whether a step at or below an address is still ahead. */
  hasAny(address: string): boolean {
    return (this.#in.get(address) ?? 0) > 0
  }

  /** Returns whether a step at or below an address was ever added. */
  hadAny(address: string): boolean {
    return this.#in.has(address)
  }
}
