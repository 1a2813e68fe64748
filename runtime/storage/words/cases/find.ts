import { type Bits, intersect, isWithin, noBits, positionsOf, setBit } from '../bits.ts'
import type { Page } from '../page.ts'
import { addRange, exactly, type Pages, propertyTerm, rangeOfTimes, type SegmentHead } from '../segment.ts'
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

/** Returns the cases of a segment that may match, by position, ascending. The caller must check all conditions. */
export function casesWith(head: CaseHead, pages: CasePages, wanted: WantedCases): number[] {
  const { always } = head
  const found = matching(head, pages, wanted)
  if (always.length === 0) return found ? positionsOf(found) : []
  const bits = found ?? noBits()
  for (const position of always) setBit(bits, position)
  return positionsOf(bits)
}

function matching(head: CaseHead, pages: CasePages, { parts, organizations, from, to }: WantedCases): Bits | null {
  const found = rangeOfTimes(head, from, to)
  if (!found) return null
  if (organizations) {
    const bits = noBits()
    for (const id of organizations) addRange(bits, head, pages, exactly(propertyTerm('organization', id)))
    if (!intersect(found, bits)) return null
  }
  for (const part of parts) {
    const bits = rareWith(head, pages, part) ?? noBits()
    addFrequent(bits, found, pages, part)
    if (!intersect(found, bits)) return null
  }
  return found
}

/** Returns the cases whose rare words together have the grams of a part. Null if there are none. */
function rareWith(head: CaseHead, pages: CasePages, part: string): Bits | null {
  let found: Bits | null = null
  for (const range of rangesOf(part)) {
    const bits = noBits()
    addRange(bits, head, pages, range)
    if (found && !intersect(bits, found)) return null
    found = bits
  }
  return found
}

/** Adds the cases with a frequent word that contains the part, until all wanted ones are there. */
function addFrequent(bits: Bits, wanted: Bits, pages: CasePages, part: string): void {
  const words = pages.frequent()
  let [at, line] = [words.indexOf(part), 0]
  for (let counted = 0; at >= 0; ) {
    for (let end = words.indexOf('\n', counted); end >= 0 && end < at; end = words.indexOf('\n', counted)) {
      line += 1
      counted = end + 1
    }
    pages.frequentPage(Math.floor(line / frequentInPage)).addTo(bits, line % frequentInPage)
    if (isWithin(wanted, bits)) return
    const end = words.indexOf('\n', at)
    if (end < 0) return
    at = words.indexOf(part, end + 1)
  }
}
