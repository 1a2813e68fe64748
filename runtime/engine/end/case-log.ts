import type { Millis, RunId, TimelineEntry } from '../../domain/index.ts'

/** A write and its outcome: the `action` of a timeline entry. */
type Written = Required<Pick<Extract<TimelineEntry['body'], { kind: 'action' }>, 'skill' | 'connection' | 'outcome' | 'target' | 'effect'>>

/**
 * What a run did in external systems, for its case. Reads are counted by skill and connection. Each write has
 * a line of its own. The lines are written when the run ends, those of writes also when it goes to sleep. A
 * replay produces the same lines, so they do not depend on how often the run was resumed.
 */
export class CaseLog {
  readonly #run: RunId
  #reads: Map<string, { skill: string; connection: string; times: number; failed: number }> | null = null
  readonly #entries: TimelineEntry[] = []
  /** Addresses of the writes that have a line. Null: none has one. */
  #told: Set<string> | null = null

  constructor(run: RunId) {
    this.#run = run
  }

  read(skill: string, connection: string, ok: boolean): void {
    const key = `${skill} ${connection}`
    this.#reads ??= new Map()
    const line = this.#reads.get(key) ?? { skill, connection, times: 0, failed: 0 }
    line.times += 1
    if (!ok) line.failed += 1
    this.#reads.set(key, line)
  }

  write(address: string, at: Millis, written: Written): void {
    this.#told ??= new Set()
    this.#told.add(address)
    this.add(address, at, { kind: 'action', ...written })
  }

  add(address: string, at: Millis, body: TimelineEntry['body']): void {
    this.#entries.push(this.#entry(address, at, body))
  }

  /** Whether a write has a line. */
  hasWrite(address: string): boolean {
    return this.#told?.has(address) ?? false
  }

  /** The lines of writes. */
  writes(): readonly TimelineEntry[] {
    return this.#entries.filter(({ body }) => body.kind === 'action')
  }

  /** All lines. */
  entries(at: Millis): readonly TimelineEntry[] {
    return [...this.#entries, ...this.#lookups(at)]
  }

  #entry(address: string, at: Millis, body: TimelineEntry['body']): TimelineEntry {
    return { key: `${this.#run}#${address}`, at, actor: { run: this.#run, step: address }, body }
  }

  #lookups(at: Millis): readonly TimelineEntry[] {
    if (!this.#reads) return []
    const lookups: TimelineEntry = {
      key: `${this.#run}#lookups`,
      at,
      actor: { run: this.#run, step: '' },
      body: { kind: 'lookups', calls: [...this.#reads.values()] },
    }
    return [lookups]
  }
}
