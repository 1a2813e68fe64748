import { type Bits, intersect, noBits, rangeOfBits } from './bits.ts'
import type { Page } from './page.ts'

/** How many pages a summary is about. */
export const pagesInGroup = 32
/** The head has the time of every so many alerts. */
export const timeEvery = 256

/** Where an alert stands in a list. */
export interface Key {
  readonly createdAt: number
  readonly uuid: string
}

/**
 * What a search must know about a segment before it reads a page. A segment never changes. Its alerts are in the order of their keys.
 */
export interface SegmentHead {
  readonly segment: number
  readonly size: number
  readonly first: Key
  readonly last: Key
  /** The creation times of every `timeEvery`th alert. */
  readonly times: readonly number[]
  /** The first term of each page. */
  readonly terms: readonly string[]
}

/** Terms that a search looks for: those that begin with `from`, or `from` alone if `to` is null. */
export interface TermRange {
  readonly from: string
  /** Comes after all terms that begin with `from`. */
  readonly to: string | null
}

/** Gives the pages of one segment. */
export interface Pages {
  page(index: number): Page
  /** The summary of a group of pages: first what any of them has, then what each of them has. */
  summary(group: number): Page
}

/** Every code unit of a token is smaller: U+FFFF is no letter. */
const afterAll = '\uffff'

/** Replaces half a surrogate pair, which a word has at its end if it was cut there, as every store does with a text. */
function wellFormed(text: string): string {
  return text.toWellFormed()
}

export function beginningWith(word: string): TermRange {
  return { from: wellFormed(word), to: wellFormed(word) + afterAll }
}

export function exactly(term: string): TermRange {
  return { from: wellFormed(term), to: null }
}

/**
 * Returns the term for a property of an alert, such as its organization. It has a character that no word has, and no line end.
 */
export function propertyTerm(property: 'organization' | 'provider' | 'type' | 'status' | 'playbook', value: string): string {
  return `!${property} ${JSON.stringify(value)}`
}

/** Returns how many of these ascending texts are not above the given one. */
function countUpTo(texts: readonly string[], text: string): number {
  let [low, high] = [0, texts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (texts[middle]! <= text) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the pages that may have a term of the range. */
function pagesOf({ terms }: SegmentHead, { from, to }: TermRange): readonly [first: number, last: number] {
  const first = Math.max(0, countUpTo(terms, from) - 1)
  return [first, to === null ? first : Math.max(first, countUpTo(terms, to) - 1)]
}

/** Adds the alerts that have a term of the range. Reads at most two pages, and summaries for those between. */
export function addRange(bits: Bits, head: SegmentHead, pages: Pages, range: TermRange): void {
  const [first, last] = pagesOf(head, range)
  const whole = range.to === null
  pages.page(first).addTerms(bits, range.from, whole)
  if (last > first) pages.page(last).addTerms(bits, range.from, whole)
  for (let page = first + 1; page < last; ) {
    const group = Math.floor(page / pagesInGroup)
    const start = group * pagesInGroup
    const summary = pages.summary(group)
    if (page === start && start + pagesInGroup <= last) {
      summary.addTo(bits, 0)
      page += pagesInGroup
    } else {
      summary.addTo(bits, 1 + page - start)
      page += 1
    }
  }
}

/** Returns which pages and summaries a search for these terms may read, for a store that reads many of them at once. */
export function neededFor(
  head: SegmentHead,
  terms: readonly (readonly TermRange[])[],
): { readonly pages: ReadonlySet<number>; readonly summaries: ReadonlySet<number> } {
  const [pages, summaries] = [new Set<number>(), new Set<number>()]
  for (const range of terms.flat()) {
    const [first, last] = pagesOf(head, range)
    pages.add(first).add(last)
    for (let page = first + 1; page < last; page += 1) summaries.add(Math.floor(page / pagesInGroup))
  }
  return { pages, summaries }
}

/** What an alert must have: a term of one range of each list, and a creation time from `from` to `to` (both included). */
export interface Wanted {
  readonly terms: readonly (readonly TermRange[])[]
  readonly from: number
  readonly to: number
}

/** Returns the positions created from `from` to `to` (both included), and perhaps some near the edges. Null if there are none. */
export function rangeOfTimes({ times, size }: SegmentHead, from: number, to: number): Bits | null {
  const begin =
    timeEvery *
    Math.max(
      0,
      times.findLastIndex((time) => time < from),
    )
  const beyond = times.findIndex((time) => time > to)
  const end = beyond < 0 ? size : Math.min(size, beyond * timeEvery)
  return begin < end ? rangeOfBits(begin, end) : null
}

/**
 * Returns the alerts of a segment that have the terms, by position. Those created at the edges of the time range may lie outside of it.
 * Null if there are none.
 */
export function matching(head: SegmentHead, pages: Pages, { terms, from, to }: Wanted): Bits | null {
  const found = rangeOfTimes(head, from, to)
  return found && terms.every((ranges) => intersect(found, withOneOf(head, pages, ranges))) ? found : null
}

/** Returns the alerts that have a term of one of these ranges. */
export function withOneOf(head: SegmentHead, pages: Pages, ranges: readonly TermRange[]): Bits {
  const bits = noBits()
  for (const range of ranges) addRange(bits, head, pages, range)
  return bits
}
