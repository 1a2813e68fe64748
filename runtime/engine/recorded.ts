import type { JournalEntry, JournalRecord, Json } from '../domain/index.ts'

type Of<K extends JournalRecord['kind']> = Extract<JournalRecord, { kind: K }>

/** What earlier lives of a run wrote, by step address: a re-walk takes from here what was decided and done. */
export class Recorded {
  readonly #decisions = new Map<string, Json>()
  readonly #outcomes = new Map<string, Of<'done'> | Of<'failed'>>()
  readonly #intents = new Map<string, Of<'intent'>>()
  readonly #answered = new Map<string, number>()
  readonly #answers = new Map<string, Of<'answered'>>()
  /** Addresses of steps that were begun. */
  readonly #begun = new Set<string>()
  /** Those addresses, and all that they lie in. */
  readonly #touched = new Set<string>()

  constructor(entries: readonly JournalEntry[]) {
    for (const { records } of entries) for (const record of records) this.#read(record)
  }

  #read(record: JournalRecord): void {
    if ('address' in record && record.kind !== 'decided') this.#touch(record.address)
    switch (record.kind) {
      case 'decided':
        this.#decisions.set(record.address, record.value)
        break
      case 'done':
      case 'failed':
        this.#outcomes.set(record.address, record)
        break
      case 'intent':
        this.#intents.set(record.address, record)
        break
      case 'tried':
        this.#answered.set(record.address, record.try)
        break
      case 'answered':
        this.#answered.set(record.address, record.try)
        this.#answers.set(record.address, record)
        break
      case 'probed':
        if (!record.happened) this.#answered.set(record.address, record.try)
        break
      case 'claimed':
      case 'ended':
    }
  }

  #touch(address: string): void {
    // An act of a handler is of the step that it is part of.
    let holder = address.split('#', 1)[0] ?? address
    this.#begun.add(holder)
    while (!this.#touched.has(holder)) {
      this.#touched.add(holder)
      const end = holder.lastIndexOf('/')
      if (end < 0) return
      holder = holder.slice(0, end)
    }
  }

  /** Whether anything at an address, or in it, was begun. */
  touched(address: string): boolean {
    return this.#touched.has(address)
  }

  /** Addresses of the steps within another that were begun; of all for the empty address. */
  begun(address: string): readonly string[] {
    return [...this.#begun].filter((one) => address === '' || one === address || one.startsWith(`${address}/`))
  }

  decision(address: string): Json | undefined {
    return this.#decisions.get(address)
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
    return this.#intents.get(address)?.try ?? 0
  }

  /** The last intent, when nothing says what became of it: the write is in doubt. */
  doubtful(address: string): Of<'intent'> | undefined {
    const intent = this.#intents.get(address)
    return intent && this.#answered.get(address) !== intent.try ? intent : undefined
  }
}
