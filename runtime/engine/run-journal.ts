import type { Failure, JournalRecord, Millis, RunId, TimelineEntry } from '../domain/index.ts'
import { systemScope } from '../domain/index.ts'
import type { Store } from '../storage/index.ts'
import { Superseded } from './signals.ts'

/** What a run ends with. */
export interface Ending {
  readonly state: 'completed' | 'failed'
  readonly reason: string | null
  readonly failure: Failure | null
  readonly at: Millis
  readonly entries: readonly TimelineEntry[]
}

/** More than this in one document helps nobody who reads it. */
const recordsInEntry = 64

/**
 * The log of one life of a run, written in order, one append at a time.
 *
 * Appends go on while the run does: the outcome of a read need not be on the disk before the next read, because the log keeps the
 * order and so a later record is never there without the earlier ones. Only what must be certain is waited for: the intent of a
 * write, and the end. Records that come while an append is under way go together in the next.
 */
export class RunJournal {
  readonly #store: Pick<Store, 'journal' | 'runs'>
  readonly #run: RunId
  readonly #epoch: number
  #position: number
  #riding: JournalRecord[] = []
  #pending: JournalRecord[] = []
  #underWay: Promise<void> | null = null
  #lost: Error | null = null
  #ending = false

  constructor(store: Pick<Store, 'journal' | 'runs'>, run: RunId, epoch: number, position: number) {
    this.#store = store
    this.#run = run
    this.#epoch = epoch
    this.#position = position
  }

  /** Keeps a record that goes with the next append. */
  ride(record: JournalRecord): void {
    this.#riding.push(record)
  }

  /** Appends without waiting. @throws Superseded, or the store's error, of an append before */
  push(record: JournalRecord): void {
    if (this.#lost) throw this.#lost
    this.#pending.push(...this.#riding.splice(0), record)
    // In the next turn: a run whose last step this was ends in this one, and the record goes with its end.
    if (!this.#underWay) setImmediate(() => this.#next())
  }

  /** Appends, and resolves when it is durable. @throws Superseded, or the store's error */
  async append(record: JournalRecord): Promise<void> {
    this.push(record)
    await this.settled()
  }

  /** Resolves when all that was pushed is durable. @throws Superseded, or the store's error */
  async settled(): Promise<void> {
    this.#next()
    while (this.#underWay) await this.#underWay
    if (this.#lost) throw this.#lost
  }

  /** Ends the run in the store. @throws Superseded, or the store's error */
  async end(ending: Ending): Promise<void> {
    const position = await this.#last()
    const outcome = await this.#store.runs.end(systemScope, { run: this.#run, epoch: this.#epoch, ...position, ...ending })
    if (outcome === 'superseded') throw new Superseded(this.#run)
  }

  /** Lets the run sleep in the store. @throws Superseded, or the store's error */
  async sleep(wakeAt: Millis | null, at: Millis): Promise<void> {
    const position = await this.#last()
    const outcome = await this.#store.runs.sleep(systemScope, { run: this.#run, epoch: this.#epoch, ...position, wakeAt, at })
    if (outcome === 'superseded') throw new Superseded(this.#run)
  }

  /** Appends nothing more; what is left rides with the last. */
  async #last(): Promise<{ readonly position: number; readonly records: readonly JournalRecord[] }> {
    this.#ending = true
    while (this.#underWay) await this.#underWay
    if (this.#lost) throw this.#lost
    return { position: this.#position, records: [...this.#pending.splice(0), ...this.#riding.splice(0)] }
  }

  #next(): void {
    if (this.#ending || this.#underWay || this.#lost || this.#pending.length === 0) return
    const entry = { position: this.#position++, epoch: this.#epoch, format: 1, records: this.#pending.splice(0, recordsInEntry) } as const
    this.#underWay = this.#store.journal
      .append(systemScope, this.#run, entry)
      .then(
        (outcome) => {
          if (outcome === 'superseded') this.#lost = new Superseded(this.#run)
        },
        (error: Error) => {
          this.#lost = error
        },
      )
      .then(() => {
        this.#underWay = null
        this.#next()
      })
  }
}
