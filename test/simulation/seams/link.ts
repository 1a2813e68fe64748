import { TocsinError } from '../../../runtime/errors/index.ts'
import type { Machine } from '../world/machine.ts'
import { isRoutine, type OperationFate, type Weather } from './weather.ts'

/** What is at the other end. */
export type Far = 'store' | 'queue'

const silence = { store: 'store_unavailable', queue: 'queue_unavailable' } as const
const never = new Promise<never>(() => {})

/**
 * The way from one process to a backend. An operation takes effect later or not at all, and its answer comes
 * later or not at all.
 */
export class Link {
  readonly #machine: Machine
  readonly #weather: Weather
  readonly #far: Far
  /**
   * Whether operations take effect in the order in which they were sent, because the backend lives and dies
   * with the process.
   */
  readonly isInOrder: boolean
  #last = 0

  constructor(machine: Machine, weather: Weather, far: Far, inOrder: boolean) {
    this.#machine = machine
    this.#weather = weather
    this.#far = far
    this.isInOrder = inOrder
  }

  /** @param act takes effect at once, whenever its answer comes */
  ask<T>(what: string, detail: unknown, act: () => Promise<T>): Promise<T> {
    const machine = this.#machine
    if (machine.dead) return never
    const { world } = machine
    const weather = this.#weather
    const fate = this.#fate(what)
    const stirs = !isRoutine(what)
    if (stirs) world.stir()
    if (fate === 'dies_before') {
      machine.die(`dies before ${what}`)
      return never
    }
    const cut = machine.cut[this.#far] > world.now
    return new Promise((resolve, reject) => {
      const fail = (delay: number): void => {
        world.after(delay, machine, () => {
          world.note(machine.name, `${what} is not answered`)
          reject(new TocsinError(silence[this.#far], `The ${this.#far} does not answer.`))
        })
      }
      const arrive = (delay: number, answer: boolean): void => {
        const arrived = (): void => {
          if (machine.dead && (this.isInOrder || !weather.arrivesAfterDeath())) return
          if (stirs) world.stir()
          const done = act()
          if (fate === 'dies_after') machine.die(`dies after ${what}`)
          else if (weather.stalls(what)) machine.freeze(weather.chance().between(1_000, 60_000))
          done.then(
            (result) => {
              if (stirs || !isNothing(result)) world.note(machine.name, what, [detail, result])
              if (!isNothing(result) && !stirs && what !== 'sessions.heartbeat') world.stir()
              if (answer) world.after(this.#delay(), machine, () => resolve(result), !stirs)
            },
            (error: unknown) => {
              world.note(machine.name, `${what} fails`, error)
              if (answer) world.after(this.#delay(), machine, () => reject(error as Error), !stirs)
            },
          )
        }
        world.after(delay, null, arrived, !stirs)
      }
      const patience = weather.patience()
      if (cut) {
        fail(patience)
        if (fate === 'late') arrive(patience + weather.patience(), false)
      } else if (fate === 'refused') fail(this.#delay())
      else if (fate === 'lost') {
        arrive(this.#delay(), false)
        fail(patience + this.#delay())
      } else if (fate === 'late') {
        fail(patience)
        arrive(patience + weather.patience(), false)
      } else arrive(this.#delay(), true)
    })
  }

  /** Operations within the process itself are never lost. */
  #fate(what: string): OperationFate {
    const fate = this.#weather.operation(what)
    return this.isInOrder && (fate === 'lost' || fate === 'late') ? 'refused' : fate
  }

  #delay(): number {
    const { now } = this.#machine.world
    const delay = this.#weather.latency()
    if (!this.isInOrder) return delay
    this.#last = Math.max(this.#last, now + delay)
    return this.#last - now
  }
}

function isNothing(result: unknown): boolean {
  return result === undefined || result === 0 || result === true || (Array.isArray(result) && result.length === 0)
}
