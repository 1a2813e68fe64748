import type { Collections } from '../database/index.ts'
import { blockSize } from './alert-words.ts'

const countedAtOnce = 512

/** A block into which no alert will be inserted any more. */
export interface SettledBlock {
  readonly id: string
  /** How many alerts it has at most. */
  readonly alerts: number
}

/**
 * Counts the alerts of settled blocks, so that their words are read only if they are enough for a segment. Each block is counted once: it
 * gains no alerts. It may lose some, which got another block.
 */
export class SettledBlocks {
  readonly #collections: Collections
  readonly #counts = new Map<string, number>()
  readonly #segment: number

  /** @param segment how many alerts a segment has at most */
  constructor(collections: Collections, segment: number) {
    this.#collections = collections
    this.#segment = segment
  }

  /**
   * Returns the blocks of the next segment, or an empty list if they have too few alerts. Deletes settled blocks without alerts: those of
   * repeats and of failed inserts.
   * @param settled returns those blocks into which no alert will be inserted any more
   */
  async ofNextSegment(settled: (blocks: readonly string[]) => readonly string[]): Promise<readonly SettledBlock[]> {
    const { alertWords } = this.#collections
    const found = await alertWords
      .find({}, { projection: { _id: 1 } })
      .sort({ _id: 1 })
      // A block without an alert is deleted. So this many of the oldest ones are more than enough.
      .limit(2 * this.#segment)
      .toArray()
    const blocks = settled(found.map(({ _id }) => _id))
    const standing = new Set(blocks)
    for (const id of this.#counts.keys()) if (!standing.has(id)) this.#counts.delete(id)
    const next: SettledBlock[] = []
    let alerts = 0
    for (let from = 0; from < blocks.length; from += countedAtOnce) {
      for (const block of await this.#counted(blocks.slice(from, from + countedAtOnce))) {
        if (alerts + block.alerts > this.#segment) return next
        next.push(block)
        alerts += block.alerts
      }
    }
    return alerts > this.#segment - blockSize ? next : []
  }

  /** Counts blocks again whose alerts were not there any more. */
  forget(blocks: readonly SettledBlock[]): void {
    for (const { id } of blocks) this.#counts.delete(id)
  }

  /** Returns those of these blocks that have alerts, and deletes the others. */
  async #counted(blocks: readonly string[]): Promise<readonly SettledBlock[]> {
    const { alerts, alertWords } = this.#collections
    const unknown = blocks.filter((id) => !this.#counts.has(id))
    if (unknown.length > 0) {
      // The index of blocks alone answers this. Alerts that are not numbered yet count too.
      const counts = await alerts
        .aggregate<{ readonly _id: string; readonly alerts: number }>(
          [{ $match: { block: { $in: unknown } } }, { $group: { _id: '$block', alerts: { $sum: 1 } } }],
          { hint: { block: 1 } },
        )
        .toArray()
      for (const { _id, alerts: count } of counts) this.#counts.set(_id, count)
      const empty = unknown.filter((id) => !this.#counts.has(id))
      if (empty.length > 0) await alertWords.deleteMany({ _id: { $in: empty } })
    }
    return blocks.flatMap((id) => {
      const count = this.#counts.get(id)
      return count === undefined ? [] : [{ id, alerts: count }]
    })
  }
}
