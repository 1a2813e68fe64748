import type { Millis } from '../../../runtime/domain/index.ts'
import type { Chance } from './chance.ts'
import { Heap } from './heap.ts'
import { Trace } from './trace.ts'
import { Turns } from './turns.ts'

/** The process in which something happens, as far as the world must know it. */
export interface Owner {
  readonly dead: boolean
  /** It does nothing until then. */
  readonly frozenUntil: Millis
}

/** A future event. */
export interface Coming {
  at: Millis
  /**
   * The process in which it happens. It does not happen while that is frozen, or once it is dead. Null:
   * outside of all processes.
   */
  readonly owner: Owner | null
  /** Whether it repeats for as long as the process lives. Nothing waits for such an event. */
  readonly beat: boolean
  readonly action: () => void
  cancelled: boolean
  /** Decides the order of events at the same time. */
  readonly rank: number
}

/** When simulated time begins. */
export const beginning: Millis = 1_800_000_000_000

/** A shorter quiet time is not skipped. */
const worthSkipping: Millis = 4_000
/** How long nothing must have happened before time is skipped. */
const quietFor: Millis = 1_000

/** Time and its events, one after the other. If several come at the same time, the seed decides the order. */
export class World {
  readonly chance: Chance
  readonly trace: Trace
  /** The violations that were found. */
  readonly wrong: string[] = []
  /** When something other than routine last happened. */
  stirred: Millis = beginning
  now: Millis = beginning
  /** How many events have happened. */
  happened = 0
  /** Says until when time may be skipped, at most to `next`. */
  onQuiet: (next: Millis) => Promise<Millis> = async () => this.now
  readonly #coming = new Heap<Coming>((a, b) => a.at < b.at || (a.at === b.at && a.rank < b.rank))
  readonly #turns = new Turns()
  /** When the world last checked whether time may be skipped. */
  #looked: Millis = beginning

  constructor(chance: Chance, kept: number) {
    this.chance = chance
    this.trace = new Trace(beginning, kept)
  }

  /** @returns a function that cancels it */
  after(delay: Millis, owner: Owner | null, action: () => void, beat = false): () => void {
    const coming: Coming = { at: this.now + delay, owner, beat, action, cancelled: false, rank: this.chance.between(0, 0xfffffff) }
    this.#coming.push(coming)
    return () => {
      coming.cancelled = true
    }
  }

  /** Milliseconds since the beginning. */
  get elapsed(): Millis {
    return this.now - beginning
  }

  note(who: string, what: string, detail: unknown = null): void {
    this.trace.add(this.now, who, what, detail)
  }

  /** Called when something other than routine happens. */
  stir(): void {
    this.stirred = this.now
  }

  fail(what: string): void {
    this.note('world', `WRONG: ${what}`)
    this.wrong.push(what)
  }

  /**
   * Replaces `setImmediate` while the world is played.
   * @returns a function that restores it
   */
  takeOver(): () => void {
    return this.#turns.takeOver()
  }

  /** Lets time pass until `reached` is true. Returns false if that takes more than `most` events. */
  async until(reached: () => boolean, most: number): Promise<boolean> {
    await this.#turns.done()
    for (let count = 0; count < most; count += 1) {
      if (reached()) return true
      if (this.now - Math.max(this.stirred, this.#looked) >= quietFor && this.#coming.first?.beat) await this.#skipQuiet()
      if (!(await this.#next())) return reached()
    }
    return false
  }

  async #next(): Promise<boolean> {
    const next = this.#coming.pop()
    if (!next) return false
    const { owner, cancelled, action } = next
    if (cancelled || owner?.dead) return true
    this.now = Math.max(this.now, next.at)
    if (owner && owner.frozenUntil > this.now) {
      next.at = owner.frozenUntil
      this.#coming.push(next)
      return true
    }
    this.happened += 1
    action()
    await this.#turns.done()
    return true
  }

  /** If only repeating events come soon, skips to the first other event, and postpones the repeating ones. */
  async #skipQuiet(): Promise<void> {
    this.#looked = this.now
    let next = Number.POSITIVE_INFINITY
    for (const { beat, at, cancelled, owner } of this.#coming.all) if (!beat && !cancelled && !owner?.dead && at < next) next = at
    if (next - this.now < worthSkipping) return
    const shift = (await this.onQuiet(next)) - this.now
    if (!Number.isFinite(shift) || shift < worthSkipping) return
    this.note('world', 'nothing happens for a while', { seconds: Math.round(shift / 1_000) })
    for (const coming of this.#coming.all) if (coming.beat) coming.at += shift
    this.#coming.renew(({ cancelled, owner }) => !cancelled && !owner?.dead)
    this.now += shift
    this.stir()
  }
}
