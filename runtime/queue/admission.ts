import type { Clock, Company, Millis } from '../domain/index.ts'
import { type Arrivals, type Release, type Slots, slotsFor } from '../fairness/index.ts'
import type { ConsumeOptions } from './port.ts'

/** Runs in which a process has died may have one in this many of an organization's slots. */
const suspectShare = 4
/** Lanes of which no job runs may have one slot for this many of an organization's slots, beside these. */
const firstShare = 8
/** How many slots stay free for each alert that arrives, and the largest part of an organization's slots that stays free (decision 137). */
const [keptForEach, keptPart] = [4, 0.95]
/**
 * How long a run that needs the process alone waits for the others to end. Runs that take longer than this
 * have not killed the process so far.
 */
const drainWithin: Millis = 30_000
/** How long the run then stays alone. If it kills the process, it does so soon after it starts. */
const aloneFor: Millis = 60_000
/**
 * How long runs that need the process alone may follow each other: as long as the others took to end, within
 * these bounds. Else each of them would wait for the others anew, and they for it.
 */
const [leastSeries, longestSeries]: readonly [Millis, Millis] = [1_000, 5_000]
/** The least time that other runs get the process back before the next run is alone, if they use it. */
const leastRest: Millis = 1_000
/** How often to look whether other runs use that time. If none does, the next run need not wait. */
const lookEvery: Millis = 50
/**
 * How long a process must live before a run may be alone in it. If something else keeps killing processes,
 * none lives this long, so no run is blamed for it.
 */
const calmAfter: Millis = 15_000

/** Whom a job takes its slots from. */
export interface Share {
  /** The organization, or what stands for it. */
  readonly owner: string
  /** The organization's lane of jobs of one type. */
  readonly lane: string
}

/** Returns a function that tells how many slots to keep free. Alerts that arrive go before runs. */
function keptFor(arrivals: Arrivals, concurrency: number): () => number {
  const most = Math.floor(concurrency * keptPart)
  return () => Math.min(keptForEach * arrivals.peak, most)
}

/**
 * Decides which jobs may start in this process now. Organizations share the slots. If a flood has all slots of its
 * organization, another lane may still have one job more: its first (decision 116). Runs in which a process
 * has died get only a part of the slots, so that others can continue. Runs in which processes died again and
 * again run one at a time, alone. So they kill no other run, and no other run kills them.
 */
export class Admission {
  readonly #slots: Slots
  readonly #suspects: Slots
  readonly #firsts: Slots
  /** How many slots each lane has. */
  readonly #held = new Map<string, number>()
  readonly #clock: Clock
  readonly #onRoom: () => void
  /** How many jobs run, not counting the one that needs to be alone. */
  #others = 0
  /** Whether a job is alone, waits to be alone, or was alone a moment ago. */
  #aloneTaken = false
  /** Since when no other job may start. Null: others may start. */
  #closedAt: Millis | null = null
  #onAlone: (() => void) | null = null
  /** Until when the next job that needs to be alone may follow, while the others are still kept out. Null: they are not. */
  #followUntil: Millis | null = null
  #cancelReopening: () => void = () => {}
  #cancelGivingBack: () => void = () => {}
  #cancelRest: () => void = () => {}
  /** Whether the process has lived long enough to blame its death on the run that is alone in it. */
  #calm = false
  readonly #cancelCalm: () => void
  readonly #leaveArrivals: () => void
  #stopped = false

  /**
   * @param options as for `Queue.consume`
   * @param onRoom called when a job may start for a reason other than a release
   */
  constructor({ concurrency, aloneAfter = calmAfter, arrivals }: ConsumeOptions, clock: Clock, onRoom: () => void) {
    this.#slots = slotsFor(concurrency, arrivals && keptFor(arrivals, concurrency))
    this.#leaveArrivals = arrivals?.onFewer(onRoom) ?? (() => {})
    this.#suspects = slotsFor(Math.max(Math.floor(concurrency / suspectShare), 1))
    this.#firsts = slotsFor(Math.floor(concurrency / firstShare))
    this.#clock = clock
    this.#onRoom = onRoom
    this.#calm = aloneAfter === 0
    this.#cancelCalm = this.#calm ? () => {} : clock.after(aloneAfter, () => this.#calmDown())
  }

  /** Returns whether `enter` may be called for such a job, whatever its lane is. */
  may(company: Company, owner: string): boolean {
    if (company === 'none') return !this.#stopped && this.#calm && !this.#aloneTaken
    return this.#isOpen(company, owner) && this.#slots.has(owner)
  }

  /**
   * Returns whether `enter` may be called for the first job of a lane of this organization, although `may` says no.
   * Ask `isFirst` about the lane.
   */
  mayFirst(company: Company, owner: string): boolean {
    return company !== 'none' && this.#isOpen(company, owner) && this.#firsts.has(owner)
  }

  /** Returns whether no job of the lane has a slot. */
  isFirst(lane: string): boolean {
    return !this.#held.has(lane)
  }

  /**
   * Takes the slots that a job needs. Call `may` first, or `mayFirst` and `isFirst`. After releasing them, the caller
   * must look for the next job.
   */
  enter(company: Company, { owner, lane }: Share): Release {
    const slot = company === 'none' ? null : (this.#slots.tryTake(owner) ?? this.#firsts.tryTake(owner))
    const suspect = company === 'few' ? this.#suspects.tryTake(owner) : null
    this.#count(lane, 1)
    if (company === 'none') {
      this.#cancelGivingBack()
      this.#aloneTaken = true
      if (this.#followUntil !== null) this.#limit()
    } else this.#others += 1
    let released = false
    return () => {
      if (released) return
      released = true
      slot?.()
      suspect?.()
      this.#count(lane, -1)
      if (company === 'none') this.#endAlone()
      else this.#others -= 1
      if (this.#others === 0) this.#onAlone?.()
    }
  }

  /**
   * Call right before a job starts that needs to be alone. From now on no other job starts. Resolves when all
   * others have ended, or after half a minute. Resolves at once if it follows another such job.
   */
  solitude(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#stopped) return resolve()
      const begin = (): void => {
        this.#limit()
        resolve()
      }
      if (this.#followUntil !== null) return begin()
      const closedAt = this.#clock.now()
      this.#closedAt = closedAt
      const ended = (): void => {
        cancel()
        this.#onAlone = null
        const now = this.#clock.now()
        this.#followUntil = now + Math.min(Math.max(now - closedAt, leastSeries), longestSeries)
        begin()
      }
      const cancel = this.#clock.after(drainWithin, ended)
      this.#onAlone = ended
      if (this.#others === 0) ended()
    })
  }

  /** Lets no more jobs start. A job that waits to be alone stops waiting. */
  stop(): void {
    this.#stopped = true
    this.#onAlone?.()
    this.#cancelReopening()
    this.#cancelGivingBack()
    this.#cancelRest()
    this.#cancelCalm()
    this.#leaveArrivals()
  }

  #isOpen(company: Company, owner: string): boolean {
    return !this.#stopped && this.#closedAt === null && (company !== 'few' || this.#suspects.has(owner))
  }

  #count(lane: string, change: number): void {
    const held = (this.#held.get(lane) ?? 0) + change
    if (held > 0) this.#held.set(lane, held)
    else this.#held.delete(lane)
  }

  #calmDown(): void {
    this.#calm = true
    this.#onRoom()
  }

  /** Lets others start again after a minute, even if the job that is alone still runs. */
  #limit(): void {
    this.#cancelReopening()
    this.#cancelReopening = this.#clock.after(aloneFor, () => {
      this.#closedAt = null
      this.#followUntil = null
      this.#onRoom()
    })
  }

  #endAlone(): void {
    this.#cancelReopening()
    if (this.#stopped) return
    if (this.#followUntil === null || this.#clock.now() >= this.#followUntil) return this.#giveBack()
    // The caller looks for the next job now. If that is another one that needs to be alone, it follows.
    this.#aloneTaken = false
    this.#cancelGivingBack = this.#clock.after(0, () => {
      this.#giveBack()
      this.#onRoom()
    })
  }

  #giveBack(): void {
    const kept = this.#closedAt === null ? 0 : this.#clock.now() - this.#closedAt
    this.#closedAt = null
    this.#followUntil = null
    this.#aloneTaken = true
    this.#rest(Math.min(Math.max(kept, leastRest), drainWithin + aloneFor))
  }

  /** Gives the others the process back for as long as they were kept out, or until none of them runs. */
  #rest(time: Millis): void {
    const end = (): void => {
      this.#cancelRest()
      this.#aloneTaken = false
      this.#onRoom()
    }
    const cancelEnd = this.#clock.after(time, end)
    const stopLooking = this.#clock.every(lookEvery, () => {
      if (this.#others === 0) end()
    })
    this.#cancelRest = () => {
      cancelEnd()
      stopLooking()
    }
  }
}
