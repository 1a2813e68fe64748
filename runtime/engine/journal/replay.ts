import { type JournalEntry, type JournalRecord, type Json, stepOf } from '../../domain/index.ts'

type Of<K extends JournalRecord['kind']> = Extract<JournalRecord, { kind: K }>
/** A record of one step. */
type OfStep = Extract<JournalRecord, { readonly address: string }>

/**
 * Kinds of records that show that a step began a call. Such a step must be replayed to its end. A decision or a
 * wait alone does not require that.
 */
const ofCalls: ReadonlySet<JournalRecord['kind']> = new Set(['intent', 'tried', 'answered', 'probed', 'done', 'failed'])

/** Suffix of the address that records the count of a call. */
export const spentMark = '#spent'

/** Suffix of the address that records until when a step waits. */
export const untilMark = '#until'

/** Yields the addresses that contain a step: its own, those above it, and the run's (empty). */
function* holders(address: string): Generator<string> {
  for (let holder = address; holder !== ''; holder = holder.slice(0, Math.max(holder.lastIndexOf('/'), 0))) yield holder
  yield ''
}

/** The records of steps in a journal, by address. */
class StepRecords {
  readonly decisions = new Map<string, Json>()
  readonly outcomes = new Map<string, Of<'done'> | Of<'failed'>>()
  readonly answers = new Map<string, Of<'answered'>>()
  readonly retries = new Map<string, Of<'retried'>>()
  /** Addresses of steps that an earlier execution began and this one has not replayed yet. */
  readonly ahead = new Set<string>()
  /** How many of those are at or below an address. */
  readonly aheadIn = new Map<string, number>()
  /** Steps in which an earlier execution waited, and this one has not passed yet. The latest is the last. */
  readonly waits = new Set<string>()
  /** The counts of calls, under each address that contains the call. */
  readonly spent = new Map<string, (readonly [string, Json])[]>()

  read(record: OfStep): void {
    if (ofCalls.has(record.kind)) this.#begin(record.address)
    switch (record.kind) {
      case 'decided':
        this.decisions.set(record.address, record.value)
        if (record.address.endsWith(spentMark)) this.#spend(record.address, record.value)
        if (record.address.endsWith(untilMark)) this.waits.add(record.address.slice(0, -untilMark.length))
        break
      case 'done':
      case 'failed':
        this.outcomes.set(record.address, record)
        break
      case 'answered':
        this.answers.set(record.address, record)
        break
      case 'retried':
        this.retries.set(record.address, record)
    }
  }

  #spend(address: string, value: Json): void {
    for (const holder of holders(address)) {
      const spent = this.spent.get(holder)
      if (spent) spent.push([address, value])
      else this.spent.set(holder, [[address, value]])
    }
  }

  #begin(address: string): void {
    const step = stepOf(address)
    if (this.ahead.has(step)) return
    this.ahead.add(step)
    for (const holder of holders(step)) this.aheadIn.set(holder, (this.aheadIn.get(holder) ?? 0) + 1)
  }
}

/**
 * What earlier executions of a run recorded, by step address. A replay takes decisions and outcomes from here.
 */
export class Replay {
  /** Null: no earlier execution recorded anything about a step. Most runs are executed once, and need no maps. */
  readonly #records: StepRecords | null = null

  constructor(entries: readonly JournalEntry[]) {
    for (const { records } of entries) {
      for (const record of records) {
        if (!('address' in record)) continue
        this.#records ??= new StepRecords()
        this.#records.read(record)
      }
    }
  }

  /** Returns whether an earlier execution began anything at or below an address. */
  hasBegun(address: string): boolean {
    return this.#records?.aheadIn.has(address) ?? false
  }

  /**
   * Returns whether anything that an earlier execution began at or below an address still has to be replayed.
   * The empty address is the run.
   */
  isReplaying(address: string): boolean {
    return (this.#records?.aheadIn.get(address) ?? 0) > 0
  }

  /** Call when a step has ended in this execution. */
  markReplayed(address: string): void {
    this.#records?.waits.delete(address)
    if (!this.#records?.ahead.delete(address)) return
    const { aheadIn } = this.#records
    for (const holder of holders(address)) aheadIn.set(holder, (aheadIn.get(holder) ?? 0) - 1)
  }

  /** Returns the step in which an earlier execution waited last, if this one has not passed it yet. */
  waitsAt(): string | null {
    return [...(this.#records?.waits ?? [])].at(-1) ?? null
  }

  decision(address: string): Json | undefined {
    return this.#records?.decisions.get(address)
  }

  /** Returns the counts of calls at or below an address. The empty address gives all. */
  spentIn(address: string): readonly (readonly [string, Json])[] {
    return this.#records?.spent.get(address) ?? []
  }

  outcome(address: string): Of<'done'> | Of<'failed'> | undefined {
    return this.#records?.outcomes.get(address)
  }

  /** Returns the recorded wait before the next try of a call, or of a request of a handler. */
  retry(address: string): Of<'retried'> | undefined {
    return this.#records?.retries.get(address)
  }

  /** Returns the recorded answer to a request of a handler. */
  answer(address: string): Of<'answered'> | undefined {
    return this.#records?.answers.get(address)
  }
}
