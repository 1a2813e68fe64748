import type { Clock, Company, Millis } from '../domain/index.ts'
import { type Release, type Slots, slotsFor } from '../fairness/index.ts'

/** Runs in which a process has died may have one in this many of an organization's slots. */
const suspectShare = 4
/**
 * How long a run that needs the process alone waits for the others to end. Runs that take longer than this
 * have not killed the process so far.
 */
const drainWithin: Millis = 30_000
/** How long the run then stays alone. If it kills the process, it does so soon after it starts. */
const aloneFor: Millis = 60_000
/** The least time that other runs get the process back before the next run is alone. */
const leastRest: Millis = 1_000
/**
 * How long a process must live before a run may be alone in it. If something else keeps killing processes,
 * none lives this long, so no run is blamed for it.
 */
const calmAfter: Millis = 15_000

/**
 * Decides which jobs may start in this process now. Organizations share the slots. Runs in which a process
 * has died get only a part of the slots, so that others can continue. Runs in which processes died again and
 * again run one at a time, alone. So they kill no other run, and no other run kills them.
 */
export class Admission {
  readonly #slots: Slots
  readonly #suspects: Slots
  readonly #clock: Clock
  readonly #onRoom: () => void
  /** How many jobs run, not counting the one that needs to be alone. */
  #others = 0
  /** Whether a job is alone, waits to be alone, or was alone a moment ago. */
  #aloneTaken = false
  /** Since when no other job may start. Null: others may start. */
  #closedAt: Millis | null = null
  #onAlone: (() => void) | null = null
  #cancelReopening: () => void = () => {}
  /** Whether the process has lived long enough to blame its death on the run that is alone in it. */
  #calm = false
  readonly #cancelCalm: () => void
  #stopped = false

  /**
   * @param concurrency how many jobs of one organization may run at once; all organizations together may have
   * a third more
   * @param onRoom called when a job may start for a reason other than a release
   * @param aloneAfter for how long from now no job may be alone
   */
  constructor(concurrency: number, clock: Clock, onRoom: () => void, aloneAfter: Millis = calmAfter) {
    this.#slots = slotsFor(concurrency)
    this.#suspects = slotsFor(Math.max(Math.floor(concurrency / suspectShare), 1))
    this.#clock = clock
    this.#onRoom = onRoom
    this.#calm = aloneAfter === 0
    this.#cancelCalm = this.#calm ? () => {} : clock.after(aloneAfter, () => this.#calmDown())
  }

  /** Returns whether `enter` may be called for such a job. */
  may(company: Company, owner: string): boolean {
    if (this.#stopped) return false
    if (company === 'none') return this.#calm && !this.#aloneTaken
    if (this.#closedAt !== null || !this.#slots.has(owner)) return false
    return company === 'any' || this.#suspects.has(owner)
  }

  /**
   * Takes the slots that a job needs. Call `may` first. After releasing them, the caller must look for the
   * next job.
   */
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
   * Call right before a job starts that needs to be alone. From now on no other job starts. Resolves when all
   * others have ended, or after half a minute.
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

  /** Lets no more jobs start. A job that waits to be alone stops waiting. */
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
    // The others get the process back for as long as they were kept out.
    this.#clock.after(Math.min(Math.max(kept, leastRest), drainWithin + aloneFor), () => {
      this.#aloneTaken = false
      this.#onRoom()
    })
  }
}
