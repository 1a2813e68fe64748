import type { DecisionId, JournalEntry, JournalRecord, Millis } from '../../domain/index.ts'

type Asked = Extract<JournalRecord, { kind: 'asked' }>

/** Returns whether an address is that of a part of the run, or is inside it. The empty part is the run. */
function isIn(part: string, address: string): boolean {
  return part === '' || address === part || address.startsWith(`${part}/`)
}

/**
 * When a run waited for people, or was stopped by a pause. That time does not count towards the run's time
 * limit. A wait for people lasts from the question until the run has seen the answer, or needs it no more.
 * Overlapping waits count once.
 */
export class Waits {
  /** The decisions that were requested. Most runs request none. */
  #asked: Map<DecisionId, Asked> | null = null
  /** Those of them whose answer the run has seen, or dropped. */
  readonly #heard = new Set<DecisionId>()
  readonly #dropped = new Set<DecisionId>()
  /** Addresses of the parts that need no answers any more. */
  readonly #over: string[] = []
  readonly #spans: { readonly from: Millis; readonly to: Millis }[] = []
  /** When an earlier execution last wrote to the journal. Until then it was working, whatever was paused. */
  #atWork: Millis = 0

  constructor(entries: readonly JournalEntry[] = []) {
    for (const { records } of entries) for (const record of records) this.note(record)
  }

  note(record: JournalRecord): void {
    if (record.kind === 'asked' && !this.asked(record.decision)) {
      this.#asked ??= new Map()
      this.#asked.set(record.decision, record)
    }
    if (record.kind === 'claimed' && record.heldSince !== undefined) this.addPause(record.heldSince, record.at)
    if ('at' in record) this.#atWork = record.at
    if (record.kind !== 'heard') return
    if (record.dropped) this.#dropped.add(record.decision)
    const asked = this.#asked?.get(record.decision)
    if (asked === undefined || this.#heard.has(record.decision)) return
    this.#heard.add(record.decision)
    this.#spans.push({ from: asked.at, to: record.at })
  }

  /** Notes that pauses stopped the run. */
  addPause(from: Millis, to: Millis): void {
    this.#spans.push({ from: Math.max(from, this.#atWork), to })
  }

  /** Notes that a part of the run needs no answers any more, except about writes in doubt. @param part its address */
  end(part: string): void {
    this.#over.push(part)
  }

  /** Returns whether a decision was requested, answered or not. */
  asked(decision: DecisionId): boolean {
    return this.#asked?.has(decision) ?? false
  }

  /** Decisions whose answer the run has not seen yet. */
  get open(): readonly DecisionId[] {
    return this.#standing().map(({ decision }) => decision)
  }

  /** Open decisions of parts that need no answers any more. */
  get needless(): readonly Asked[] {
    return this.#standing().filter(({ address, binding }) => !binding && this.#over.some((part) => isIn(part, address)))
  }

  /** Decisions that the run has dropped. Some may still be open in the store. */
  get dropped(): readonly DecisionId[] {
    return [...this.#dropped]
  }

  #standing(): readonly Asked[] {
    return [...(this.#asked ?? [])].flatMap(([decision, asked]) => (this.#heard.has(decision) ? [] : [asked]))
  }

  /** Returns how long the run has waited until `now`. */
  total(now: Millis): Millis {
    if (this.#spans.length === 0 && this.#asked === null) return 0
    const all = [...this.#spans, ...this.#standing().map(({ at }) => ({ from: at, to: now }))].sort((a, b) => a.from - b.from)
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
