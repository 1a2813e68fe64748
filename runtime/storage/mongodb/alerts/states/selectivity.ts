import { countOf, matching, type Wanted, type WantedStates } from '../../../words/index.ts'
import { pageIdsFor, pagesAmong, type SegmentReader } from '../word-segments.ts'
import type { StateReader } from './state-pages.ts'

/** A filter that so many alerts of a segment pass, and one in so many, is checked alert by alert. */
const [frequent, oneIn] = [64, 8]

interface Filters {
  readonly wanted: Wanted
  readonly states: WantedStates
  /** What is wanted except the filters that a list by time must check alert by alert. */
  readonly unfiltered: Wanted
  readonly direction: 1 | -1
}

/**
 * Returns whether so few alerts pass the filters of a list that their segments should be searched. Otherwise following the order of time
 * takes less time. Judges by the first segment that this process knows, so mostly without a command. It may be wrong: then the list takes
 * longer.
 */
export async function isSelective(reader: SegmentReader, stateReader: StateReader, filters: Filters): Promise<boolean> {
  const { wanted, states, unfiltered, direction } = filters
  const segments = (await reader.known()).filter(({ first, last }) => first.createdAt <= wanted.to && last.createdAt >= wanted.from)
  const [segment] = segments.sort((a, b) => direction * (a.first.createdAt - b.first.createdAt))
  // Without segments, there are not many alerts.
  if (!segment) return false
  const pages = pagesAmong(await reader.read([wanted, unfiltered].flatMap(({ terms }) => pageIdsFor(segment, terms))), segment)
  const [all, passing] = [matching(segment, pages, unfiltered), matching(segment, pages, wanted)]
  if (!all || !passing) return true
  await stateReader.keepKnown(segment, states, passing)
  const count = countOf(passing)
  return count < frequent || count * oneIn < countOf(all)
}
