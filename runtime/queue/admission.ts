import type { Clock, Company, Millis } from '../domain/index.ts'
import { type Release, type Slots, slotsFor } from '../fairness/index.ts'

/** Of the slots of an organization, the part that runs under suspicion may have: 1 of so many. */
const suspectShare = 4
/** So long does a run that is to be alone wait for those in work to end. What is in work for longer has not ended the process so far. */
const drainWithin: Millis = 30_000
/** So long does it stay alone. What would end the process does so soon after it begins. */
const aloneFor: Millis = 60_000
/** The others have the process for at least this long before the next run is alone. */
const leastRest: Millis = 1_000
/**
 * A process must have lived this long before a run is alone in it. While something else keeps ending processes, none lives so long, and no run
 * is blamed for what it did not do.
 */
const calmAfter: Millis = 15_000

/**
 * Which jobs may begin in this process now. Organizations share the slots. Runs in which a process has died before have a part of the
 * slots only, so that the others go on; and those in which it died again and again are in work one at a time, alone: so they do not take
 * others with them, and are not taken themselves.
 */
export class Admission {
  readonly #slots: Slots
  readonly #suspects: Slots
  readonly #clock: Clock
  readonly #onRoom: () => void
  /** Jobs in work that are not the one that is alone. */
  #others = 0
  /** Whether a job has the place of the one that is alone, waits to be alone, or has been so just now. */
  #aloneTaken = false
  /** Since when others are kept from beginning; null: they are not. */
  #closedAt: Millis | null = null
  #onAlone: (() => void) | null = null
  #cancelReopening: () => void = () => {}
  /** Whether the process has lived long enough that its death would say something about the run that is alone in it. */
  #calm = false
  readonly #cancelCalm: () => void
  #stopped = false

  /**
   * @param concurrency jobs of one organization in work at once; of all together a third more
   * @param onRoom called when there may be room again, other than by a release
   * @param aloneAfter how long from now on no job is alone
   */
  constructor(concurrency: number, clock: Clock, onRoom: () => void, aloneAfter: Millis = calmAfter) {
    this.#slots = slotsFor(concurrency)
    this.#suspects = slotsFor(Math.max(Math.floor(concurrency / suspectShare), 1))
    this.#clock = clock
    this.#onRoom = onRoom
    this.#calm = aloneAfter === 0
    this.#cancelCalm = this.#calm ? () => {} : clock.after(aloneAfter, () => this.#calmDown())
  }

  /** Whether `enter` may be called for such a job. */
  may(company: Company, owner: string): boolean {
    if (this.#stopped) return false
    if (company === 'none') return this.#calm && !this.#aloneTaken
    if (this.#closedAt !== null || !this.#slots.has(owner)) return false
    return company === 'any' || this.#suspects.has(owner)
  }

  /** Takes what a job needs; `may` has said that it is there. The caller looks for the next job after it has given it back. */
  enter(company: Company, owner: string): Release {
    const [slot, suspect] = [company === 'none' ? null : this.#slots.tryTake(owner), company === 'few' ? this.#suspects.tryTake(owner) : null]
    if (company === 'none') this.#aloneTaken = true
    else this.#others += 1
    let released = false
    return () => {
      if (released) return
      released = true
      slot?.()
      suspect?.()
      if (company === 'none') this.#endAlone()
      else this.#others -= 1
      if (this.#others === 0) this.#onAlone?.()
    }
  }

  /**
   * For the job that is to be alone, right before it begins. Nothing else begins from now on; resolves when all others have ended, or after
   * half a minute.
   */
  solitude(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#stopped) return resolve()
      this.#closedAt = this.#clock.now()
      const begin = (): void => {
        cancel()
        this.#onAlone = null
        this.#cancelReopening = this.#clock.after(aloneFor, () => this.#reopen())
        resolve()
      }
      const cancel = this.#clock.after(drainWithin, begin)
      this.#onAlone = begin
      if (this.#others === 0) begin()
    })
  }

  /** Nothing enters any more; what waits to be alone need not. */
  stop(): void {
    this.#stopped = true
    this.#onAlone?.()
    this.#cancelReopening()
    this.#cancelCalm()
  }

  #calmDown(): void {
    this.#calm = true
    this.#onRoom()
  }

  #reopen(): void {
    this.#closedAt = null
    this.#onRoom()
  }

  #endAlone(): void {
    this.#cancelReopening()
    const kept = this.#closedAt === null ? 0 : this.#clock.now() - this.#closedAt
    this.#closedAt = null
    if (this.#stopped) return
    // The others then have the process for as long as they were kept out.
    this.#clock.after(Math.min(Math.max(kept, leastRest), drainWithin + aloneFor), () => {
      this.#aloneTaken = false
      this.#onRoom()
    })
  }
}
