import { type Bits, intersect, isWithin, noBits, positionsOf, setBit } from '../bits.ts'
import type { Page } from '../page.ts'
import { addRange, exactly, neededFor, type Pages, propertyTerm, rangeOfTimes, type SegmentHead, type TermRange } from '../segment.ts'
import { frequentInPage } from './build.ts'
import { rangesOf, wordsOf } from './grams.ts'

/** What a search must know about a segment of cases before it reads a page. */
export interface CaseHead extends SegmentHead {
  readonly always: readonly number[]
}

export interface CasePages extends Pages {
  /** The frequent words, with line ends between them. */
  frequent(): string
  frequentPage(index: number): Page
}

/** What cases must say, and when they were created: from `from` to `to` (both included). */
export interface WantedCases {
  /** Parts of words, the longest first. */
  readonly parts: readonly string[]
  /** Null: any. */
  readonly organizations: readonly string[] | null
  readonly from: number
  readonly to: number
}

/** With more organizations than this, the caller's own condition finds them. */
const mostOrganizations = 64

/** @param texts what cases must say. A text with white space may be in cases that say only its words. So the caller must check what is found */
export function wantedCases(texts: readonly string[], organizations: readonly string[] | undefined, from: number, to: number): WantedCases {
  const parts = [...new Set(texts.flatMap(wordsOf))].sort((a, b) => b.length - a.length)
  return { parts, organizations: organizations && organizations.length <= mostOrganizations ? organizations : null, from, to }
}

/** Pages that a search reads next, besides the frequent words. So a store can read them together for many segments. */
export interface NeededPages {
  readonly pages: Iterable<number>
  readonly summaries: Iterable<number>
  readonly frequentPages: Iterable<number>
}

/** How many frequent words are looked up at once: first, and at most. */
const [frequentFirst, frequentAtOnce] = [4, 32]

/** Returns the cases of a segment that may match, by position, ascending. The caller must check all conditions. */
export function casesWith(head: CaseHead, pages: CasePages, wanted: WantedCases): number[] {
  const finding = findCases(head, pages, wanted)
  let step = finding.next()
  while (!step.done) step = finding.next()
  return step.value
}

/** Does the same as `casesWith`. Yields which pages it reads next, before it reads them. */
export function* findCases(head: CaseHead, pages: CasePages, wanted: WantedCases): Generator<NeededPages, number[]> {
  const { always } = head
  const found = yield* matching(head, pages, wanted)
  if (always.length === 0) return found ? positionsOf(found) : []
  const bits = found ?? noBits()
  for (const position of always) setBit(bits, position)
  return positionsOf(bits)
}

function needed(head: CaseHead, terms: readonly (readonly TermRange[])[]): NeededPages {
  return { ...neededFor(head, terms), frequentPages: [] }
}

function* matching(head: CaseHead, pages: CasePages, { parts, organizations, from, to }: WantedCases): Generator<NeededPages, Bits | null> {
  const found = rangeOfTimes(head, from, to)
  if (!found) return null
  const own = organizations?.map((id) => exactly(propertyTerm('organization', id)))
  const ranges = parts.map(rangesOf)
  // The longest part is looked up first. If no case has it, the pages of the other parts need not be read.
  yield needed(head, [own ?? [], ranges[0] ?? []])
  if (own) {
    const bits = noBits()
    for (const range of own) addRange(bits, head, pages, range)
    if (!intersect(found, bits)) return null
  }
  for (const [index, part] of parts.entries()) {
    if (index === 1) yield needed(head, ranges.slice(1))
    const bits = rareWith(head, pages, ranges[index] ?? []) ?? noBits()
    yield* addFrequent(bits, found, pages, part)
    if (!intersect(found, bits)) return null
  }
  return found
}

/** Returns the cases whose rare words together have these grams, those of a part. Null if there are none. */
function rareWith(head: CaseHead, pages: CasePages, ranges: readonly TermRange[]): Bits | null {
  let found: Bits | null = null
  for (const range of ranges) {
    const bits = noBits()
    addRange(bits, head, pages, range)
    if (found && !intersect(bits, found)) return null
    found = bits
  }
  return found
}

/** Adds the cases with a frequent word that contains the part, until all wanted ones are there. */
function* addFrequent(bits: Bits, wanted: Bits, pages: CasePages, part: string): Generator<NeededPages, void> {
  if (isWithin(wanted, bits)) return
  const lines = linesWith(pages.frequent(), part)
  for (let count = frequentFirst; ; count = Math.min(count * 2, frequentAtOnce)) {
    const some: number[] = []
    for (let line = lines.next(); !line.done; line = lines.next()) if (some.push(line.value) === count) break
    if (some.length === 0) return
    yield { pages: [], summaries: [], frequentPages: new Set(some.map(frequentPageOf)) }
    for (const line of some) {
      pages.frequentPage(frequentPageOf(line)).addTo(bits, line % frequentInPage)
      if (isWithin(wanted, bits)) return
    }
  }
}

function frequentPageOf(line: number): number {
  return Math.floor(line / frequentInPage)
}

/** Returns which of these lines contain the part, ascending. */
function* linesWith(words: string, part: string): Generator<number, undefined> {
  let [at, line] = [words.indexOf(part), 0]
  for (let counted = 0; at >= 0; ) {
    for (let end = words.indexOf('\n', counted); end >= 0 && end < at; end = words.indexOf('\n', counted)) {
      line += 1
      counted = end + 1
    }
    yield line
    const end = words.indexOf('\n', at)
    if (end < 0) return
    at = words.indexOf(part, end + 1)
  }
}
