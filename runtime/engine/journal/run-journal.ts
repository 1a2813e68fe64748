import type { JournalRecord, Millis, PauseId, RunId, TriedWrites } from '../../domain/index.ts'
import { cancellationIn, systemScope } from '../../domain/index.ts'
import type { RunEnd, RunSleep, Store } from '../../storage/index.ts'
import { Superseded } from '../failure/signals.ts'
import type { CancelState } from '../guards/cancel.ts'

/** What a run ends with. */
export type Ending = Omit<RunEnd, 'run' | 'epoch' | 'position' | 'records'>

/** What the journal tells about the records that it appends or finds. */
export interface Listeners {
  readonly cancel: CancelState
  readonly writes: TriedWrites
}

/** Where the steps of a run record what they did and decided. */
export interface RunLog {
  /** Keeps a record until the next append, which includes it. */
  defer(record: JournalRecord): void
  /** Appends without waiting. @throws Superseded, or the store's error, if an earlier append failed */
  push(record: JournalRecord): void
  /** Appends, and resolves when it is durable. @throws Superseded, or the store's error */
  append(record: JournalRecord): Promise<void>
  /** Resolves when everything that was pushed is durable. @throws Superseded, or the store's error */
  settled(): Promise<void>
  /**
   * Keeps outcomes of reads until the next `append`, so that one write takes them all. Call it when an `append` follows
   * soon. Returns a function that ends this. Call that in any case.
   */
  gather(): () => void
}

/** The most records in one document. Larger documents are hard to read. */
const recordsInEntry = 64

/** Returns whether a record says what became of a write. Until it is stored, the write is in doubt after a crash. */
function endsDoubt(record: JournalRecord): boolean {
  return 'write' in record || record.kind === 'answered' || record.kind === 'tried'
}

/**
 * The journal of one execution of a run. It appends in order, one append at a time.
 *
 * The run goes on while an append is under way. The outcome of a read need not be durable before the next read,
 * because the journal keeps the order: a later record is never there without the earlier ones. Only the intent
 * of a write and the end of the run are waited for. Records that arrive during an append go together into the
 * next one.
 *
 * An append may find another record at its position. If that is a cancellation, it tells `CancelState` and
 * appends after it. Anything else comes from another execution of the run.
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
  /** What the end need not wait for, though it is under way. */
  #opening: Promise<void> | null = null
  #lost: Error | null = null
  #ending = false
  /** How many callers gather records of reads. */
  #gathering = 0

  /**
   * @param opened `opened` of the claim: nothing is appended before it. Null: appends may begin
   * @param endsAhead `endsAhead` of the claim: the run may end before `opened`
   */
  constructor(
    store: Pick<Store, 'journal' | 'runs'>,
    run: RunId,
    epoch: number,
    position: number,
    { cancel, writes }: Listeners,
    opened: Promise<void> | null = null,
    endsAhead = false,
  ) {
    this.#store = store
    this.#run = run
    this.#epoch = epoch
    this.#position = position
    this.#cancel = cancel
    this.#writes = writes
    if (opened) this.#underWay = this.#ended(opened, () => this.#appendSoon())
    if (endsAhead) this.#opening = this.#underWay
  }

  defer(record: JournalRecord): void {
    this.#writes.note(record)
    this.#riding.push(record)
  }

  push(record: JournalRecord): void {
    if (this.#lost) throw this.#lost
    this.#writes.note(record)
    this.#pending.push(...this.#riding.splice(0), record)
    // Appends in the next turn of the event loop. If this was the last step, the run ends in this turn, and
    // the record is written together with the end.
    this.#appendSoon()
  }

  gather(): () => void {
    this.#gathering += 1
    let over = false
    return () => {
      if (over) return
      over = true
      this.#gathering -= 1
      this.#appendSoon()
    }
  }

  async append(record: JournalRecord): Promise<void> {
    this.push(record)
    await this.settled()
  }

  async settled(): Promise<void> {
    for (this.#next(); this.#underWay; this.#next()) await this.#underWay
    if (this.#lost) throw this.#lost
  }

  /**
   * Ends the run in the store.
   * @param ending computes the end when it is written, because a cancellation may come first
   * @param stored is called when the end is durable, but may not be shown yet. A store may leave this out
   * @throws Superseded, or the store's error
   */
  async end(ending: () => Ending, stored?: () => void): Promise<void> {
    const records = await this.#last(this.#opening)
    for (;;) {
      const parts = { run: this.#run, epoch: this.#epoch, position: this.#position, records, ...ending() }
      if ((await this.#store.runs.end(systemScope, parts, stored)) === 'ended') return
      await this.#passCancellation()
    }
  }

  /**
   * Puts the run to sleep in the store. If it was cancelled in the meantime, it is due at once, even if a
   * pause holds it.
   * @param pause the pause that stopped it, if any
   * @throws Superseded, or the store's error
   */
  async sleep(wakeAt: Millis | null, at: Millis, pause: PauseId | null): Promise<void> {
    const records = await this.#last()
    let wake: Pick<RunSleep, 'wakeAt' | 'pause'> = { wakeAt, ...(pause !== null && { pause }) }
    for (;;) {
      const parts = { run: this.#run, epoch: this.#epoch, position: this.#position, records, ...wake, at }
      if ((await this.#store.runs.sleep(systemScope, parts)) === 'slept') return
      await this.#passCancellation()
      wake = { wakeAt: at }
    }
  }

  /**
   * Stops appending. Returns the records that go with the last write.
   * @param except what the last write need not wait for
   */
  async #last(except: Promise<void> | null = null): Promise<readonly JournalRecord[]> {
    this.#ending = true
    while (this.#underWay && this.#underWay !== except) await this.#underWay
    if (this.#lost) throw this.#lost
    return [...this.#pending.splice(0), ...this.#riding.splice(0)]
  }

  /**
   * Handles a record that is already at the next position.
   * @throws Superseded unless it is only a cancellation
   */
  async #passCancellation(): Promise<void> {
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
      await this.#passCancellation()
    }
    this.#position += 1
  }

  #appendSoon(): void {
    if (this.#underWay) return
    setImmediate(() => {
      if (this.#gathering === 0 || this.#pending.some(endsDoubt)) this.#next()
    })
  }

  #next(): void {
    if (this.#ending || this.#underWay || this.#lost || this.#pending.length === 0) return
    this.#underWay = this.#ended(this.#append(this.#pending.splice(0, recordsInEntry)), () => this.#next())
  }

  /** Resolves when the work has ended, and continues then. Notes its error. */
  #ended(work: Promise<void>, next: () => void): Promise<void> {
    return work
      .catch((error: Error) => {
        this.#lost = error
      })
      .then(() => {
        this.#underWay = null
        next()
      })
  }
}
