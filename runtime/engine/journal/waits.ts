import type { DecisionId, JournalEntry, JournalRecord, Millis } from '../../domain/index.ts'

/**
 * When a run waited for people, or was stopped by a pause. That time does not count towards the run's time
 * limit. A wait for people lasts from the question until the run has seen the answer. Overlapping waits count
 * once.
 */
export class Waits {
  readonly #asked = new Set<DecisionId>()
  readonly #open = new Map<DecisionId, Millis>()
  readonly #over: { readonly from: Millis; readonly to: Millis }[] = []
  /** When an earlier execution last wrote to the journal. Until then it was working, whatever was paused. */
  #atWork: Millis = 0

  constructor(entries: readonly JournalEntry[] = []) {
    for (const { records } of entries) for (const record of records) this.note(record)
  }

  note(record: JournalRecord): void {
    if (record.kind === 'asked' && !this.#asked.has(record.decision)) {
      this.#asked.add(record.decision)
      this.#open.set(record.decision, record.at)
    }
    if (record.kind === 'claimed' && record.heldSince !== undefined) this.addPause(record.heldSince, record.at)
    if ('at' in record) this.#atWork = record.at
    if (record.kind !== 'heard') return
    const from = this.#open.get(record.decision)
    this.#open.delete(record.decision)
    if (from !== undefined) this.#over.push({ from, to: record.at })
  }

  /** Notes that pauses stopped the run. */
  addPause(from: Millis, to: Millis): void {
    this.#over.push({ from: Math.max(from, this.#atWork), to })
  }

  /** Returns whether a decision was requested, answered or not. */
  asked(decision: DecisionId): boolean {
    return this.#asked.has(decision)
  }

  /** Decisions whose answer the run has not seen yet. */
  get open(): readonly DecisionId[] {
    return [...this.#open.keys()]
  }

  /** Returns how long the run has waited until `now`. */
  total(now: Millis): Millis {
    const all = [...this.#over, ...[...this.#open.values()].map((from) => ({ from, to: now }))].sort((a, b) => a.from - b.from)
    let total = 0
    let covered = Number.NEGATIVE_INFINITY
    for (const { from, to } of all) {
      const end = Math.min(to, now)
      total += Math.max(0, end - Math.max(from, covered))
      covered = Math.max(covered, end)
    }
    return total
  }
}
