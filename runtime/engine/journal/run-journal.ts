import type { JournalRecord, Millis, PauseId, RunId, TriedWrites } from '../../domain/index.ts'
import { cancellationIn, systemScope } from '../../domain/index.ts'
import type { RunEnd, RunSleep, Store } from '../../storage/index.ts'
import { Superseded } from '../failure/signals.ts'
import type { CancelState } from '../guards/cancel.ts'

/** What a run ends with. */
export type Ending = Omit<RunEnd, 'run' | 'epoch' | 'position' | 'records'>

/** Who hears what the log is told, or finds. */
export interface Listeners {
  readonly cancel: CancelState
  readonly writes: TriedWrites
}

/** Where the steps of a run write what they did and decided. */
export interface RunLog {
  /** Keeps a record until the next append, which includes it. */
  ride(record: JournalRecord): void
  /** Appends without waiting. @throws Superseded, or the store's error, if an earlier append failed */
  push(record: JournalRecord): void
  /** Appends, and resolves when it is durable. @throws Superseded, or the store's error */
  append(record: JournalRecord): Promise<void>
}

/** More than this in one document helps nobody who reads it. */
const recordsInEntry = 64

/**
 * The log of one life of a run, written in order, one append at a time.
 *
 * Appends go on while the run does: the outcome of a read need not be on the disk before the next read, because the log keeps the
 * order and so a later record is never there without the earlier ones. Only what must be certain is waited for: the intent of a
 * write, and the end. Records that come while an append is under way go together in the next.
 *
 * Where it would write it may find that somebody has cancelled the run: that it comes past, and it says so to `Cancel`. Anything else it finds
 * there is another life of the run.
 */
export class RunJournal implements RunLog {
  readonly #store: Pick<Store, 'journal' | 'runs'>
  readonly #run: RunId
  readonly #epoch: number
  readonly #cancel: CancelState
  readonly #writes: TriedWrites
  #position: number
  #riding: JournalRecord[] = []
  #pending: JournalRecord[] = []
  #underWay: Promise<void> | null = null
  #lost: Error | null = null
  #ending = false

  constructor(store: Pick<Store, 'journal' | 'runs'>, run: RunId, epoch: number, position: number, { cancel, writes }: Listeners) {
    this.#store = store
    this.#run = run
    this.#epoch = epoch
    this.#position = position
    this.#cancel = cancel
    this.#writes = writes
  }

  ride(record: JournalRecord): void {
    this.#writes.note(record)
    this.#riding.push(record)
  }

  push(record: JournalRecord): void {
    if (this.#lost) throw this.#lost
    this.#writes.note(record)
    this.#pending.push(...this.#riding.splice(0), record)
    // In the next turn: a run whose last step this was ends in this one, and the record goes with its end.
    if (!this.#underWay) setImmediate(() => this.#next())
  }

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

  /**
   * Ends the run in the store.
   * @param ending how, as it stands when it is written: a cancellation may come before it
   * @throws Superseded, or the store's error
   */
  async end(ending: () => Ending): Promise<void> {
    const records = await this.#last()
    for (;;) {
      const parts = { run: this.#run, epoch: this.#epoch, position: this.#position, records, ...ending() }
      if ((await this.#store.runs.end(systemScope, parts)) === 'ended') return
      await this.#comePast()
    }
  }

  /**
   * Lets the run sleep in the store. What was cancelled meanwhile is due at once, paused or not.
   * @param pause what stopped it, if that is why
   * @throws Superseded, or the store's error
   */
  async sleep(wakeAt: Millis | null, at: Millis, pause: PauseId | null): Promise<void> {
    const records = await this.#last()
    let rest: Pick<RunSleep, 'wakeAt' | 'pause'> = { wakeAt, ...(pause !== null && { pause }) }
    for (;;) {
      const parts = { run: this.#run, epoch: this.#epoch, position: this.#position, records, ...rest, at }
      if ((await this.#store.runs.sleep(systemScope, parts)) === 'slept') return
      await this.#comePast()
      rest = { wakeAt: at }
    }
  }

  /** Appends nothing more; what is left rides with the last. */
  async #last(): Promise<readonly JournalRecord[]> {
    this.#ending = true
    while (this.#underWay) await this.#underWay
    if (this.#lost) throw this.#lost
    return [...this.#pending.splice(0), ...this.#riding.splice(0)]
  }

  /** Something stands where this life would write. @throws Superseded unless it is only that somebody cancelled the run */
  async #comePast(): Promise<void> {
    const entries = (await this.#store.journal.read(systemScope, this.#run)).filter(({ position }) => position >= this.#position)
    const records = entries.flatMap((entry) => entry.records)
    const cancellation = cancellationIn(records)
    if (!cancellation || records.some(({ kind }) => kind !== 'cancelled')) throw new Superseded(this.#run)
    this.#cancel.note(cancellation)
    this.#position += entries.length
  }

  async #append(records: readonly JournalRecord[]): Promise<void> {
    for (;;) {
      const entry = { position: this.#position, epoch: this.#epoch, format: 1, records } as const
      if ((await this.#store.journal.append(systemScope, this.#run, entry)) === 'appended') break
      await this.#comePast()
    }
    this.#position += 1
  }

  #next(): void {
    if (this.#ending || this.#underWay || this.#lost || this.#pending.length === 0) return
    this.#underWay = this.#append(this.#pending.splice(0, recordsInEntry))
      .catch((error: Error) => {
        this.#lost = error
      })
      .then(() => {
        this.#underWay = null
        this.#next()
      })
  }
}
