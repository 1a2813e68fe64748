import type { AlertUuid, Clock, Ids, Millis } from '../../../domain/index.ts'
import type { Collections, WorkReport } from '../database/index.ts'
import type { AlertDocument } from './alert-documents.ts'
import { giveBlocks } from './alert-words.ts'

/** If an insert takes longer than this, its alerts get a new block: a segment may have been built from the first one without them. */
const lateAfter: Millis = 5_000
const tryEvery: Millis = 10_000
/** How many alerts are read at once. */
const atOnce = 1_024

type Worded = Pick<AlertDocument, '_id' | 'words' | 'createdAt'>

/**
 * Gives alerts whose insert took long a new block. They are stored already, so a failure here must not reject them: somebody may investigate
 * them, and the source would send them again. What fails is tried again until it succeeds. Only a process that is killed before that
 * leaves alerts without words.
 */
export class LateWords {
  readonly #collections: Collections
  readonly #clock: Clock
  readonly #ids: Ids
  readonly #report: WorkReport
  /** The alerts that still need a block. Each insert had to write a block first, so there are many only if MongoDB fails every other write. */
  readonly #left = new Set<AlertUuid>()
  #cancel: (() => void) | null = null
  #underWay: Promise<void> | null = null

  constructor(collections: Collections, clock: Clock, ids: Ids, report: WorkReport) {
    this.#collections = collections
    this.#clock = clock
    this.#ids = ids
    this.#report = report
  }

  /** Returns whether what began then took too long for its block. */
  isLate(begun: Millis): boolean {
    const took = this.#clock.now() - begun
    // The clock may have been set back.
    return took < 0 || took > lateAfter
  }

  /** Gives the alerts new blocks, now or later. Never rejects. */
  async give(alerts: readonly Worded[]): Promise<void> {
    if (alerts.length === 0) return
    try {
      await this.#give(alerts)
      if (this.#left.size === 0) this.#report.succeeded()
    } catch (error) {
      for (const { _id } of alerts) this.#left.add(_id)
      this.#report.failed(error)
      this.#tryLater()
    }
  }

  /** Tries for the last time to give blocks to the alerts that have none. Nothing may be inserted any more. */
  async close(): Promise<void> {
    await this.#underWay
    this.#cancel?.()
    if (this.#left.size > 0) await this.#giveLeft()
  }

  async #give(alerts: readonly Worded[]): Promise<void> {
    const begun = this.#clock.now()
    await giveBlocks(this.#collections, alerts, this.#ids)
    if (this.isLate(begun)) throw new Error(`MongoDB took longer than ${lateAfter / 1_000} seconds.`)
  }

  #tryLater(): void {
    this.#cancel ??= this.#clock.after(tryEvery, () => {
      this.#cancel = null
      this.#underWay ??= this.#giveLeft().finally(() => {
        this.#underWay = null
        if (this.#left.size > 0) this.#tryLater()
      })
    })
  }

  async #giveLeft(): Promise<void> {
    const { alerts } = this.#collections
    try {
      const left = [...this.#left]
      for (let from = 0; from < left.length; from += atOnce) {
        const part = left.slice(from, from + atOnce)
        const found = await alerts.find<Worded>({ _id: { $in: part } }, { projection: { words: 1, createdAt: 1 } }).toArray()
        if (found.length > 0) await this.#give(found)
        for (const id of part) this.#left.delete(id)
      }
      if (this.#left.size === 0) this.#report.succeeded()
    } catch (error) {
      this.#report.failed(error)
    }
  }
}
