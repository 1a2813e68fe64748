import type { Json } from '../../../domain/index.ts'
import { failed } from '../../failure/failed.ts'
import { RunFailed } from '../../failure/signals.ts'

/** The estimated cost of a value besides its characters: its place in a list or object. */
const perValue = 32

/** The most characters that the outputs and variables of a run may have together. Each value counts as 32 more. */
const mostMemory = 128 * 1024 * 1024

/** To this depth, a value counts only once, even if a variable or the items of a loop hold it again. */
const levelsKnown = 6

/** Estimates how much memory the outputs and variables of one execution take. */
export class MemoryUse {
  readonly #most: number
  readonly #known = new WeakSet<object>()
  #weight = 0

  constructor(most = mostMemory) {
    this.#most = most
  }

  get weight(): number {
    return this.#weight
  }

  /** Counts the result of a step. @throws RunFailed `run_too_large` */
  add(value: Json, address: string): void {
    this.#weight += this.#weigh(value, this.#most - this.#weight)
    if (this.#weight <= this.#most) return
    const most = this.#most.toLocaleString('en-US')
    throw new RunFailed(failed('run_too_large', `Its outputs and variables have more than ${most} characters together.`, address))
  }

  /** Stops as soon as the limit is exceeded. */
  #weigh(value: Json, most: number): number {
    let weight = 0
    let level: Json[] = [value]
    for (let depth = 0; level.length > 0 && weight <= most; depth += 1) {
      const inner: Json[] = []
      for (const one of level) {
        weight += perValue
        if (typeof one === 'string') weight += one.length
        if (typeof one !== 'object' || one === null) continue
        if (depth <= levelsKnown && this.#known.has(one)) continue
        if (depth <= 1) this.#known.add(one)
        if (Array.isArray(one)) for (const item of one as readonly Json[]) inner.push(item)
        else {
          for (const name in one) {
            weight += name.length
            inner.push((one as Readonly<Record<string, Json>>)[name] as Json)
          }
        }
        if (weight > most) break
      }
      level = inner
    }
    return weight
  }
}
