import { noBits, positionsOf, setBit } from './bits.ts'
import { encodePage, type Posting } from './page.ts'
import { type Key, pagesInGroup, type SegmentHead, timeEvery } from './segment.ts'
import { sorted } from './sorted.ts'

/** The most terms of a page, and how many bytes its lists of positions have at most before the next page begins. */
const [mostTerms, mostPositions] = [128, 1_024]

/** A segment that is ready to be stored. */
export interface BuiltSegment {
  readonly head: Omit<SegmentHead, 'segment'>
  readonly pages: readonly Uint8Array[]
  readonly summaries: readonly Uint8Array[]
}

/** Collects the terms of a segment's alerts, which it must get in the order of their keys. */
export class SegmentBuilder {
  readonly #keys: Key[] = []
  readonly #positions = new Map<string, number[]>()

  get size(): number {
    return this.#keys.length
  }

  /** @param terms what a database returned, so that they are well formed */
  add(key: Key, terms: Iterable<string>): void {
    const position = this.#keys.length
    this.#keys.push(key)
    for (const term of terms) {
      const positions = this.#positions.get(term)
      if (!positions) this.#positions.set(term, [position])
      else if (positions.at(-1) !== position) positions.push(position)
    }
  }

  /** Encodes the segment, page by page. Yields every few milliseconds, so that the caller can do other work. */
  build(): Generator<void, BuiltSegment> {
    return encodeSegment(this.#keys, this.#positions)
  }
}

/** Encodes a segment from the positions of each term, ascending. Yields every few milliseconds. */
export function* encodeSegment(keys: readonly Key[], positionsOfTerm: ReadonlyMap<string, readonly number[]>): Generator<void, BuiltSegment> {
  const terms = yield* sorted(positionsOfTerm.keys())
  const [pages, summaries, firsts]: [Uint8Array[], Uint8Array[], string[]] = [[], [], []]
  for (let at = 0; at < terms.length; ) {
    const unions: Posting[] = []
    while (unions.length < pagesInGroup && at < terms.length) {
      const page: Posting[] = []
      for (let left = mostPositions; left > 0 && page.length < mostTerms && at < terms.length; at += 1) {
        const term = terms[at]!
        const positions = positionsOfTerm.get(term)!
        page.push({ term, positions })
        left -= Math.min(positions.length, 256)
      }
      firsts.push(page[0]!.term)
      pages.push(encodePage(page))
      unions.push(unionOf(page))
    }
    summaries.push(encodePage([unionOf(unions), ...unions]))
    yield
  }
  const times = keys.filter((_, position) => position % timeEvery === 0).map(({ createdAt }) => createdAt)
  return { head: { size: keys.length, first: keys[0]!, last: keys.at(-1)!, times, terms: firsts }, pages, summaries }
}

function unionOf(postings: readonly Posting[]): Posting {
  const bits = noBits()
  for (const { positions } of postings) for (const position of positions) setBit(bits, position)
  return { term: '', positions: positionsOf(bits) }
}
