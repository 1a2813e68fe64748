import type { Clock, Ids, Millis, SessionId } from '../../../runtime/domain/index.ts'
import type { Chance } from './chance.ts'
import type { World } from './world.ts'

/** Node never calls a timer early, and calls it late on a busy machine. */
const mostLate: Millis = 3

/** One process, from start to end: its clock, its ids, and whether it is alive. */
export class Machine {
  readonly name: string
  readonly world: World
  readonly clock: Clock
  readonly ids: Ids
  /** How far its clock is ahead of the world's. */
  skew: Millis
  /** It does nothing until then: a long garbage collection, or a suspended machine. */
  frozenUntil: Millis = 0
  /** What it cannot reach, and until when. */
  readonly cut = { store: 0, queue: 0 }
  /** The sessions that it has opened. */
  readonly sessions: SessionId[] = []
  #dead = false
  #onDeath: (() => void)[] = []

  constructor(name: string, world: World, skew: Millis) {
    this.name = name
    this.world = world
    this.skew = skew
    this.clock = clockOf(this)
    this.ids = idsOf(this, world.chance.fork())
  }

  get dead(): boolean {
    return this.#dead
  }

  onDeath(action: () => void): void {
    this.#onDeath.push(action)
  }

  /** Kills it. Nothing of it happens from then on: no timer, no answer, no continuation of a promise. */
  die(how: string): void {
    if (this.#dead) return
    this.#dead = true
    this.world.stir()
    this.world.note(this.name, how)
    for (const action of this.#onDeath) action()
  }

  freeze(duration: Millis): void {
    this.world.stir()
    this.world.note(this.name, `stands still for ${duration} ms`)
    this.frozenUntil = this.world.now + duration
  }
}

function clockOf(machine: Machine): Clock {
  const { world } = machine
  const after = (delay: Millis, action: () => void, beat: boolean): (() => void) =>
    world.after(Math.max(delay, 0) + world.chance.between(0, mostLate), machine, action, beat)
  return {
    now: () => world.now + machine.skew,
    sleep: (delay, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const onAbort = (): void => {
          cancel()
          reject(signal?.reason)
        }
        const cancel = after(
          delay,
          () => {
            signal?.removeEventListener('abort', onAbort)
            resolve()
          },
          false,
        )
        signal?.addEventListener('abort', onAbort, { once: true })
      }),
    after: (delay, action) => after(delay, action, false),
    every(period, action) {
      let cancel = (): void => {}
      const arm = (): void => {
        cancel = after(
          period,
          () => {
            arm()
            action()
          },
          true,
        )
      }
      arm()
      return () => cancel()
    },
  }
}

function idsOf(machine: Machine, chance: Chance): Ids {
  let count = 0
  const hex = (digits: number): string => {
    let text = ''
    while (text.length < digits) text += chance.between(0, 0xffff).toString(16).padStart(4, '0')
    return text.slice(0, digits)
  }
  return {
    uuid() {
      count += 1
      const time = machine.clock.now().toString(16).padStart(12, '0')
      const counted = (count & 0xfff).toString(16).padStart(3, '0')
      return `${time.slice(0, 8)}-${time.slice(8)}-7${counted}-8${hex(3)}-${hex(12)}`
    },
    secret: (bytes) => hex(2 * bytes),
  }
}
