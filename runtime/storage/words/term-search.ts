import { type Bits, countOfBoth, intersect } from './bits.ts'
import { type Pages, rangeOfTimes, type SegmentHead, type TermRange, type Wanted, withOneOf } from './segment.ts'

/** An alert must have a term of one of these ranges. */
type Ranges = readonly TermRange[]

/**
 * Finds the alerts that have the wanted terms, segment by segment. When the terms leave no alert of a segment, it learns which few of them
 * do so. In the next segments it looks for these first, and mostly needs no pages of the others.
 */
export class TermSearch {
  readonly #wanted: Wanted
  #order: readonly Ranges[]
  /** How many terms are looked for at first. */
  #first: number

  constructor(wanted: Wanted) {
    this.#wanted = wanted
    this.#order = wanted.terms
    this.#first = wanted.terms.length
  }

  /**
   * Returns the alerts of a segment that have the terms, by position. Those created at the edges of the time range may lie outside of it.
   * Null if the terms leave none. Yields which terms it looks for next, so that a store can read their pages together for many segments.
   * @param keep removes alerts that are not wanted for another reason. Called after the first pages are read
   */
  *find(head: SegmentHead, pages: Pages, keep: (bits: Bits) => void = () => {}): Generator<readonly Ranges[], Bits | null> {
    const found = rangeOfTimes(head, this.#wanted.from, this.#wanted.to)
    if (!found) return null
    const [order, first] = [this.#order, this.#first]
    yield order.slice(0, first)
    keep(found)
    const all = found.slice()
    const lookedFor: { readonly ranges: Ranges; readonly having: Bits }[] = []
    for (let [from, to] = [0, first]; from < order.length; [from, to] = [to, to * 2]) {
      const next = order.slice(from, to)
      if (from > 0) yield next
      for (const ranges of next) {
        const having = withOneOf(head, pages, ranges)
        lookedFor.push({ ranges, having })
        if (intersect(found, having)) continue
        // Of segments that are searched together, one teaches it.
        if (this.#order === order && (first === order.length || lookedFor.length > first)) this.#learn(all, lookedFor)
        return null
      }
    }
    return found
  }

  /** Puts those terms first that together leave nothing: each time the one that leaves least. */
  #learn(all: Bits, lookedFor: readonly { readonly ranges: Ranges; readonly having: Bits }[]): void {
    const first: Ranges[] = []
    for (let more = true; more; ) {
      const left = lookedFor.filter(({ ranges }) => !first.includes(ranges))
      const [least] = left.map(({ ranges, having }) => ({ ranges, having, count: countOfBoth(all, having) })).sort((a, b) => a.count - b.count)
      if (!least) break
      first.push(least.ranges)
      more = intersect(all, least.having)
    }
    this.#first = first.length
    this.#order = [...first, ...this.#order.filter((ranges) => !first.includes(ranges))]
  }
}

/** Returns what a search finds in a segment, in a store that reads each page when it is needed. */
export function foundBy(search: TermSearch, head: SegmentHead, pages: Pages): Bits | null {
  const finding = search.find(head, pages)
  let step = finding.next()
  while (!step.done) step = finding.next()
  return step.value
}
