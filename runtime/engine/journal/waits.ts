import type { DecisionId, JournalEntry, JournalRecord, Millis } from '../../domain/index.ts'

/**
 * When a run waited for people, or was stopped by a pause. That time does not count towards the run's time
 * limit. A wait for people lasts from the question until the run has seen the answer. Overlapping waits count
 * once.
 */
export class Waits {
  /** When each decision was requested. Null: the run has seen its answer. Most runs request none. */
  #asked: Map<DecisionId, Millis | null> | null = null
  readonly #over: { readonly from: Millis; readonly to: Millis }[] = []
  /** When an earlier execution last wrote to the journal. Until then it was working, whatever was paused. */
  #atWork: Millis = 0

  constructor(entries: readonly JournalEntry[] = []) {
    for (const { records } of entries) for (const record of records) this.note(record)
  }

  note(record: JournalRecord): void {
    if (record.kind === 'asked' && !this.asked(record.decision)) {
      this.#asked ??= new Map()
      this.#asked.set(record.decision, record.at)
    }
    if (record.kind === 'claimed' && record.heldSince !== undefined) this.addPause(record.heldSince, record.at)
    if ('at' in record) this.#atWork = record.at
    if (record.kind !== 'heard') return
    const from = this.#asked?.get(record.decision) ?? null
    if (from === null) return
    this.#asked?.set(record.decision, null)
    this.#over.push({ from, to: record.at })
  }

  /** Notes that pauses stopped the run. */
  addPause(from: Millis, to: Millis): void {
    this.#over.push({ from: Math.max(from, this.#atWork), to })
  }

  /** Returns whether a decision was requested, answered or not. */
  asked(decision: DecisionId): boolean {
    return this.#asked?.has(decision) ?? false
  }

  /** Decisions whose answer the run has not seen yet. */
  get open(): readonly DecisionId[] {
    return this.#standing().map(([decision]) => decision)
  }

  #standing(): readonly (readonly [DecisionId, Millis])[] {
    return [...(this.#asked ?? [])].flatMap(([decision, from]) => (from === null ? [] : [[decision, from]]))
  }

  /** Returns how long the run has waited until `now`. */
  total(now: Millis): Millis {
    if (this.#over.length === 0 && this.#asked === null) return 0
    const all = [...this.#over, ...this.#standing().map(([, from]) => ({ from, to: now }))].sort((a, b) => a.from - b.from)
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
