import type { JournalEntry, JournalRecord } from './journal.ts'
import type { Millis } from './seams.ts'

/** A write that a run has sent, as its log tells it; one of a handler's requests has `#` and its number in its address. */
export interface SentWrite {
  readonly address: string
  readonly at: Millis
  /** `unknown`: nothing says what became of it. */
  readonly outcome: 'done' | 'unknown'
}

interface Sent extends SentWrite {
  readonly try: number
  readonly before: Sent | null
}

/** What a log says of what was sent: without the tries that the gate turned away. */
export function withoutTurnedAway(records: readonly JournalRecord[]): readonly JournalRecord[] {
  const tryOf = (record: JournalRecord): string | null => ('address' in record && 'try' in record ? `${record.try} ${record.address}` : null)
  const away = new Set(records.map((record) => (record.kind === 'tried' && record.turnedAway ? tryOf(record) : null)))
  return records.filter((record) => !((record.kind === 'intent' || record.kind === 'tried') && away.has(tryOf(record))))
}

/** The writes of a run that changed the outside world, or may have: those of which it is known that they changed nothing are not among them. */
export class SentWrites {
  readonly #writes = new Map<string, Sent>()

  constructor(entries: readonly JournalEntry[] = []) {
    for (const { records } of entries) for (const record of records) this.note(record)
  }

  /** In the order in which they were first sent. */
  get all(): readonly SentWrite[] {
    return [...this.#writes.values()].map(({ address, at, outcome }) => ({ address, at, outcome }))
  }

  note(record: JournalRecord): void {
    if (record.kind === 'intent') {
      const { address, at } = record
      this.#writes.set(address, { address, at, outcome: 'unknown', try: record.try, before: this.#writes.get(address) ?? null })
    }
    if (!('address' in record)) return
    const sent = this.#writes.get(record.address)
    if (!sent) return
    const nothing = record.kind === 'probed' ? !record.happened : (record.kind === 'tried' || record.kind === 'failed') && without.has(record.effect)
    const ofLast = !('try' in record) || record.try === sent.try
    // What the gate turned away was no try: how the one before it ended is what there is to know.
    const left = record.kind === 'tried' && record.turnedAway ? sent.before : null
    if (nothing && ofLast && left) this.#writes.set(record.address, left)
    else if (nothing && ofLast) this.#writes.delete(record.address)
    else if (record.kind === 'done' || record.kind === 'answered' || (record.kind === 'failed' && record.effect === 'done'))
      this.#writes.set(record.address, { ...sent, outcome: 'done' })
  }
}

const without: ReadonlySet<string> = new Set(['not_sent', 'refused'])
