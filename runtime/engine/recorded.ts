import type { JournalEntry, JournalRecord, Json } from '../domain/index.ts'

type Of<K extends JournalRecord['kind']> = Extract<JournalRecord, { kind: K }>

/** What calls leave. A decision alone, or a wait, is nothing that would have to be gone through to its end. */
const ofCalls: ReadonlySet<JournalRecord['kind']> = new Set(['intent', 'tried', 'answered', 'probed', 'done', 'failed'])

/** What earlier lives of a run wrote, by step address: a re-walk takes from here what was decided and done. */
export class Recorded {
  readonly #decisions = new Map<string, Json>()
  readonly #outcomes = new Map<string, Of<'done'> | Of<'failed'>>()
  /** By address, the intents that the gate has not turned away. */
  readonly #intents = new Map<string, Of<'intent'>[]>()
  /** The numbers of the last tries, whatever became of them. */
  readonly #tries = new Map<string, number>()
  /** By step, how many writes it sent, or was about to. */
  readonly #wrote = new Map<string, number>()
  readonly #turnedAway = new Map<string, number>()
  readonly #answered = new Map<string, number>()
  readonly #answers = new Map<string, Of<'answered'>>()
  /** Addresses of steps that were begun, and that this life has not come past. */
  readonly #ahead = new Set<string>()
  /** How many of those lie at an address, or in it. */
  readonly #aheadIn = new Map<string, number>()

  constructor(entries: readonly JournalEntry[]) {
    for (const { records } of entries) for (const record of records) this.#read(record)
  }

  #read(record: JournalRecord): void {
    if ('address' in record && ofCalls.has(record.kind)) this.#begin(record.address)
    switch (record.kind) {
      case 'decided':
        this.#decisions.set(record.address, record.value)
        break
      case 'done':
      case 'failed':
        this.#outcomes.set(record.address, record)
        break
      case 'intent':
        this.#intents.set(record.address, [...(this.#intents.get(record.address) ?? []), record])
        this.#tries.set(record.address, record.try)
        this.#wrote.set(stepOf(record.address), (this.#wrote.get(stepOf(record.address)) ?? 0) + 1)
        break
      case 'tried':
        if (record.turnedAway) this.#turnAway(record)
        else this.#answered.set(record.address, record.try)
        break
      case 'answered':
        this.#answered.set(record.address, record.try)
        this.#answers.set(record.address, record)
        break
      case 'probed':
        if (!record.happened) this.#answered.set(record.address, record.try)
        break
      case 'asked':
        // What was put before a person is for that person to settle, whatever a probe had said.
        this.#answered.delete(record.address)
        break
      case 'claimed':
      case 'ended':
    }
  }

  /** As if it had not been tried: what was in doubt before it is so still. */
  #turnAway({ address, try: number }: Of<'tried'>): void {
    const others = (this.#intents.get(address) ?? []).filter((intent) => intent.try !== number)
    this.#intents.set(address, others)
    this.#wrote.set(stepOf(address), (this.#wrote.get(stepOf(address)) ?? 1) - 1)
    this.#turnedAway.set(address, this.turnedAway(address) + 1)
  }

  /** The addresses that a step lies in, itself and the run (the empty one) included. */
  *#holders(address: string): Generator<string> {
    for (let holder = address; holder !== ''; holder = holder.slice(0, Math.max(holder.lastIndexOf('/'), 0))) yield holder
    yield ''
  }

  #begin(address: string): void {
    const step = stepOf(address)
    if (this.#ahead.has(step)) return
    this.#ahead.add(step)
    for (const holder of this.#holders(step)) this.#aheadIn.set(holder, (this.#aheadIn.get(holder) ?? 0) + 1)
  }

  /** Whether an earlier life began anything at an address, or in it. */
  touched(address: string): boolean {
    return this.#aheadIn.has(address)
  }

  /** Whether an earlier life of the step was about to write, or did. */
  wrote(step: string): boolean {
    return (this.#wrote.get(step) ?? 0) > 0
  }

  /** Whether this life has not come past everything yet that an earlier one began at an address, or in it; the empty address is the run. */
  ahead(address: string): boolean {
    return (this.#aheadIn.get(address) ?? 0) > 0
  }

  /** A step has ended in this life. */
  passed(address: string): void {
    if (!this.#ahead.delete(address)) return
    for (const holder of this.#holders(address)) this.#aheadIn.set(holder, (this.#aheadIn.get(holder) ?? 0) - 1)
  }

  decision(address: string): Json | undefined {
    return this.#decisions.get(address)
  }

  /** The decisions within an address; all of them for the empty one. */
  decisionsIn(address: string): readonly (readonly [string, Json])[] {
    return [...this.#decisions].filter(([at]) => address === '' || at.startsWith(`${address}/`))
  }

  outcome(address: string): Of<'done'> | Of<'failed'> | undefined {
    return this.#outcomes.get(address)
  }

  /** What an act of a handler was answered. */
  answer(address: string): Of<'answered'> | undefined {
    return this.#answers.get(address)
  }

  /** Tries of a write whose intent is in the log. */
  tries(address: string): number {
    return this.#tries.get(address) ?? 0
  }

  /** Of those, how many the gate turned away: they count for nothing that the step may do so often. */
  turnedAway(address: string): number {
    return this.#turnedAway.get(address) ?? 0
  }

  /** Whether a step's call, or a request of its handler, has reached its target, or may have. */
  reached(step: string): boolean {
    if (!this.wrote(step)) return false
    const places = [...this.#intents.keys()].filter((place) => place === step || place.startsWith(`${step}#`))
    return places.some((place) => this.#answers.has(place) || this.doubtful(place) !== undefined)
  }

  /** The last intent, when nothing says what became of it: the write is in doubt. */
  doubtful(address: string): Of<'intent'> | undefined {
    const intent = this.#intents.get(address)?.at(-1)
    return intent && this.#answered.get(address) !== intent.try ? intent : undefined
  }
}

/** An act of a handler is of the step that it is part of. */
function stepOf(address: string): string {
  return address.split('#', 1)[0] ?? address
}
