import type { Millis, RunId, TimelineEntry } from '../../domain/index.ts'

/** A write, and what became of it: see the `action` of a timeline. */
type Written = Required<Pick<Extract<TimelineEntry['body'], { kind: 'action' }>, 'skill' | 'connection' | 'outcome' | 'target' | 'effect'>>

/**
 * What a run did outside, for its case: reads counted by skill and connection, each write a line of its own. Written when the run
 * ends, from the same walk that a resumed run repeats, so that the lines are the same however often it was resumed.
 */
export class CaseLog {
  readonly #run: RunId
  readonly #reads = new Map<string, { skill: string; connection: string; times: number; failed: number }>()
  readonly #entries: TimelineEntry[] = []
  /** Addresses of writes. */
  readonly #told = new Set<string>()

  constructor(run: RunId) {
    this.#run = run
  }

  read(skill: string, connection: string, ok: boolean): void {
    const key = `${skill} ${connection}`
    const line = this.#reads.get(key) ?? { skill, connection, times: 0, failed: 0 }
    line.times += 1
    if (!ok) line.failed += 1
    this.#reads.set(key, line)
  }

  write(address: string, at: Millis, written: Written): void {
    this.#told.add(address)
    this.add(address, at, { kind: 'action', ...written })
  }

  add(address: string, at: Millis, body: TimelineEntry['body']): void {
    this.#entries.push(this.#entry(address, at, body))
  }

  /** Whether a write is told. */
  hasWrite(address: string): boolean {
    return this.#told.has(address)
  }

  /** All of it. */
  entries(at: Millis): readonly TimelineEntry[] {
    return [...this.#entries, ...this.#lookups(at)]
  }

  #entry(address: string, at: Millis, body: TimelineEntry['body']): TimelineEntry {
    return { key: `${this.#run}#${address}`, at, actor: { run: this.#run, step: address }, body }
  }

  #lookups(at: Millis): readonly TimelineEntry[] {
    if (this.#reads.size === 0) return []
    const lookups: TimelineEntry = {
      key: `${this.#run}#lookups`,
      at,
      actor: { run: this.#run, step: '' },
      body: { kind: 'lookups', calls: [...this.#reads.values()] },
    }
    return [lookups]
  }
}
