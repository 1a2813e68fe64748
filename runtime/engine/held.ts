import type { Json } from '../domain/index.ts'
import { RunFailed } from './signals.ts'
import { failed } from './walk.ts'

/** What a value takes besides its characters, about, in bytes: where it stands in a list or object. */
const perValue = 32

/** What a run may hold: outputs and variables with about so many characters; each value counts for 32 more. */
export const mostHeld = 128 * 1024 * 1024

/** What a step has left counts once, also where a variable or the items of a loop hold it again this many levels deep. */
const levelsKnown = 6

/** What the outputs and variables of one life of a run take in memory, about. */
export class Held {
  readonly #most: number
  readonly #known = new WeakSet<object>()
  #weight = 0

  constructor(most = mostHeld) {
    this.#most = most
  }

  get weight(): number {
    return this.#weight
  }

  /** Counts what a step has left. @throws RunFailed `run_too_large` */
  add(value: Json, address: string): void {
    this.#weight += this.#weigh(value, this.#most - this.#weight)
    if (this.#weight <= this.#most) return
    const most = this.#most.toLocaleString('en-US')
    throw new RunFailed(failed('run_too_large', `Its outputs and variables have more than ${most} characters together.`, address))
  }

  /** Ends as soon as it knows that it is too much. */
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
