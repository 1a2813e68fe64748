import { type JournalEntry, type JournalRecord, type Json, stepOf } from '../../domain/index.ts'

type Of<K extends JournalRecord['kind']> = Extract<JournalRecord, { kind: K }>

/** Kinds of records of calls. A step that has begun a call must be walked to its end; a decision or a wait alone does not require that. */
const ofCalls: ReadonlySet<JournalRecord['kind']> = new Set(['intent', 'tried', 'answered', 'probed', 'done', 'failed'])

/** Suffix of the address at which the count of a call is kept. */
export const spentMark = '#spent'

/** What earlier lives of a run wrote, by step address. A re-walk takes past decisions and outcomes from here. */
export class Replay {
  readonly #decisions = new Map<string, Json>()
  readonly #outcomes = new Map<string, Of<'done'> | Of<'failed'>>()
  readonly #answers = new Map<string, Of<'answered'>>()
  readonly #retries = new Map<string, Of<'retried'>>()
  /** Addresses of steps that were begun, and that this life has not come past. */
  readonly #ahead = new Set<string>()
  /** How many of those lie at an address, or in it. */
  readonly #aheadIn = new Map<string, number>()
  /** The counts of calls, by every address that contains the call. */
  readonly #spent = new Map<string, (readonly [string, Json])[]>()

  constructor(entries: readonly JournalEntry[]) {
    for (const { records } of entries) for (const record of records) this.#read(record)
  }

  #read(record: JournalRecord): void {
    if ('address' in record && ofCalls.has(record.kind)) this.#begin(record.address)
    switch (record.kind) {
      case 'decided':
        this.#decisions.set(record.address, record.value)
        if (record.address.endsWith(spentMark)) this.#spend(record.address, record.value)
        break
      case 'done':
      case 'failed':
        this.#outcomes.set(record.address, record)
        break
      case 'answered':
        this.#answers.set(record.address, record)
        break
      case 'retried':
        this.#retries.set(record.address, record)
        break
      case 'claimed':
      case 'ended':
    }
  }

  /** The addresses that a step lies in, itself and the run (the empty one) included. */
  *#holders(address: string): Generator<string> {
    for (let holder = address; holder !== ''; holder = holder.slice(0, Math.max(holder.lastIndexOf('/'), 0))) yield holder
    yield ''
  }

  #spend(address: string, value: Json): void {
    for (const holder of this.#holders(address)) {
      const spent = this.#spent.get(holder)
      if (spent) spent.push([address, value])
      else this.#spent.set(holder, [[address, value]])
    }
  }

  #begin(address: string): void {
    const step = stepOf(address)
    if (this.#ahead.has(step)) return
    this.#ahead.add(step)
    for (const holder of this.#holders(step)) this.#aheadIn.set(holder, (this.#aheadIn.get(holder) ?? 0) + 1)
  }

  /** Whether an earlier life began anything at an address, or in it. */
  hasBegun(address: string): boolean {
    return this.#aheadIn.has(address)
  }

  /** Whether this life has not come past everything yet that an earlier one began at an address, or in it; the empty address is the run. */
  isReplaying(address: string): boolean {
    return (this.#aheadIn.get(address) ?? 0) > 0
  }

  /** A step has ended in this life. */
  markReplayed(address: string): void {
    if (!this.#ahead.delete(address)) return
    for (const holder of this.#holders(address)) this.#aheadIn.set(holder, (this.#aheadIn.get(holder) ?? 0) - 1)
  }

  decision(address: string): Json | undefined {
    return this.#decisions.get(address)
  }

  /** The counts of calls within an address; all of them for the empty address. */
  spentIn(address: string): readonly (readonly [string, Json])[] {
    return this.#spent.get(address) ?? []
  }

  outcome(address: string): Of<'done'> | Of<'failed'> | undefined {
    return this.#outcomes.get(address)
  }

  /** Until when to wait before the next try of a call, or of a request of a handler, and how many tries there were. */
  retry(address: string): Of<'retried'> | undefined {
    return this.#retries.get(address)
  }

  /** What an act of a handler was answered. */
  answer(address: string): Of<'answered'> | undefined {
    return this.#answers.get(address)
  }
}
