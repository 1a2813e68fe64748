import type { Ids } from '../domain/index.ts'
import type { Change } from './change.ts'

/** How much is remembered for readers that are slow or that reconnect. */
const mostBatches = 1_000
const mostChanges = 4_000

interface Batch {
  readonly changes: readonly Change[]
  /** Changes may be missing here, so a reader must read everything again. */
  readonly gap: boolean
}

/** The changes after a position. */
export interface Since {
  readonly changes: readonly Change[]
  readonly gap: boolean
}

/**
 * The latest changes. A position is the number of batches before it. Readers get random ids instead of positions: a number would show how much
 * happens in other organizations.
 */
export class FeedLog {
  readonly #ids: Ids
  /** The position of the first batch that is remembered. */
  #first = 0
  #batches: Batch[] = []
  #changes = 0
  readonly #positions = new Map<string, number>()
  /** The ids of the positions, beginning with `#first`. An id is null until a reader needs it. */
  #names: (string | null)[] = [null]

  constructor(ids: Ids) {
    this.#ids = ids
  }

  get end(): number {
    return this.#first + this.#batches.length
  }

  add(changes: readonly Change[], gap: boolean): void {
    this.#batches.push({ changes, gap })
    this.#names.push(null)
    this.#changes += changes.length
    while (this.#batches.length > mostBatches || (this.#changes > mostChanges && this.#batches.length > 1)) this.#forgetFirst()
  }

  /** Returns the id of a position that is remembered. */
  idOf(position: number): string {
    const index = position - this.#first
    const id = this.#names[index] ?? this.#ids.secret(12)
    this.#names[index] = id
    this.#positions.set(id, position)
    return id
  }

  /** Returns the position with this id. Null: it is forgotten, or another process made the id. */
  positionOf(id: string): number | null {
    return this.#positions.get(id) ?? null
  }

  /** Returns the changes after a position. A gap if they are no longer remembered. */
  since(position: number): Since {
    if (position < this.#first) return { changes: [], gap: true }
    const batches = this.#batches.slice(position - this.#first)
    const gap = batches.some((batch) => batch.gap)
    return { changes: gap ? [] : batches.flatMap(({ changes }) => changes), gap }
  }

  /** Forgets everything, also the ids. */
  clear(): void {
    while (this.#batches.length > 0) this.#forgetFirst()
    this.#forgetName()
    this.#names[0] = null
  }

  #forgetFirst(): void {
    this.#changes -= this.#batches.shift()?.changes.length ?? 0
    this.#forgetName()
    this.#names.shift()
    this.#first++
  }

  #forgetName(): void {
    const [id] = this.#names
    if (typeof id === 'string') this.#positions.delete(id)
  }
}
