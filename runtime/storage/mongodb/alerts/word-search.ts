import type { AlertUuid } from '../../../domain/index.ts'
import { type Key, merge, mostLookedUp, positionsOf, type Source, TermSearch, type Wanted } from '../../words/index.ts'
import { segmentSources } from '../words/index.ts'
import type { BlockFound } from './alert-words.ts'
import type { StateSearch } from './states/index.ts'
import { idPageOf, idsAmong, pageId, pageIdsFor, pagesAmong, type SegmentReader, type StoredSegment } from './word-segments.ts'

export interface FoundAlert {
  readonly _id: AlertUuid
  readonly createdAt: number
}

type Answer<Row> = Promise<readonly Row[] | null>

export interface SegmentSearch<Row> {
  readonly reader: SegmentReader
  readonly wanted: Wanted
  /** Finds the alerts with the wanted statuses and playbooks. Null: `load` alone decides. */
  readonly states: StateSearch | null
  readonly direction: 1 | -1
  readonly limit: number
  /** Whether so few alerts match that a list probably needs all sources. Then they are read at the same time, as far as they are known. */
  readonly few: boolean
  /** Returns those of these alerts that match, in the order of the list. */
  readonly load: (ids: readonly AlertUuid[]) => Promise<readonly Row[]>
  /** The blocks whose alerts may be in no segment. */
  readonly blocks: readonly BlockFound[]
  /** Returns those alerts of these blocks that have the words and match, in the order of the list. */
  readonly loadBlocks: (blocks: readonly string[]) => Promise<readonly Row[]>
  /** Returns those of these alerts that have the words and match, in the order of the list. */
  readonly loadNoted: (ids: readonly AlertUuid[]) => Promise<readonly Row[]>
}

/** How many blocks are read at once: first, and at most. A block has up to 64 alerts. */
const [blocksReadAtFirst, blocksReadAtOnce] = [16, 128]
/** How many noted alerts are looked up at once. */
const lookedUpAtOnce = 256

const keyOf = ({ _id, createdAt }: FoundAlert): Key => ({ createdAt, uuid: _id })

/**
 * Lists the alerts that have the words, in segments and in blocks. Null if it had to look up so many that following the alerts in the order
 * of the list takes less time.
 */
export async function searchSegments<Row extends FoundAlert>(search: SegmentSearch<Row>): Promise<readonly Row[] | null> {
  const { reader, wanted, direction, limit, few, load } = search
  let lookedUp = 0
  const counted: SegmentSearch<Row> = {
    ...search,
    load: (ids) => {
      lookedUp += ids.length
      return load(ids)
    },
  }
  const blocks = blockSources(search)
  // The versions of the pages of states after the noted alerts, which `states` has.
  const [known] = await Promise.all([reader.segments(), search.states?.begin()])
  const segments = known.filter(({ first: from, last: to }) => from.createdAt <= wanted.to && to.createdAt >= wanted.from)
  const inSegments = sourcesOf(segments, counted)
  const sources = [...blocks, ...notedSources(search), ...(few ? readAhead(inSegments) : inSegments)]
  const merging = merge(sources, keyOf as (row: Row) => Key, direction, limit)
  let step = merging.next(null)
  while (!step.done) {
    if (!search.states && lookedUp > mostLookedUp + limit) return null
    step = merging.next(await step.value.next())
  }
  return step.value
}

/** A source for every few blocks, in the order of the list, and for more at once each time. */
function blockSources<Row extends FoundAlert>({ blocks, wanted, direction, few, loadBlocks }: SegmentSearch<Row>): Source<Answer<Row>>[] {
  const sources: Source<Answer<Row>>[] = []
  // The newest alerts are in blocks, so a list that begins with them needs these first.
  const ahead = direction === 1 ? 0 : few ? 2 : 1
  const within = blocks.filter(({ from, to }) => from <= wanted.to && to >= wanted.from)
  const ordered = within.sort((a, b) => (direction === 1 ? a.from - b.from : b.to - a.to))
  for (let [from, count] = [0, blocksReadAtFirst]; from < ordered.length; from += count, count = Math.min(count * 2, blocksReadAtOnce)) {
    const group = ordered.slice(from, from + count)
    const [{ from: earliest, to: latest }] = group as [BlockFound]
    let done = false
    const source: Source<Answer<Row>> = {
      bound: direction === 1 ? { createdAt: earliest, uuid: '' } : { createdAt: latest, uuid: '\uffff' },
      async next() {
        if (done) return null
        done = true
        return loadBlocks(group.map(({ id }) => id))
      },
    }
    sources.push(...(sources.length < ahead ? readAhead([source]) : [source]))
  }
  return sources
}

/** Reads the first rows of the first source now. The others, which may share what they have read with it, wait for that. */
function readAhead<Row>([head, ...others]: readonly Source<Answer<Row>>[]): Source<Answer<Row>>[] {
  if (!head) return []
  const first = head.next()
  first.catch(() => {})
  let given = false
  return [
    {
      bound: head.bound,
      next() {
        if (given) return head.next()
        given = true
        return first
      },
    },
    ...others.map(({ bound, next }) => ({ bound, next: () => first.then(() => next()) })),
  ]
}

/** A source for every few noted alerts. Others change their pages of states meanwhile, so these are looked up whatever the pages say. */
function notedSources<Row extends FoundAlert>({ states, direction, loadNoted }: SegmentSearch<Row>): Source<Answer<Row>>[] {
  const noted = states?.noted ?? []
  const ordered = direction === 1 ? noted : noted.toReversed()
  return Array.from({ length: Math.ceil(ordered.length / lookedUpAtOnce) }, (_, index) => {
    const group = ordered.slice(index * lookedUpAtOnce, (index + 1) * lookedUpAtOnce)
    let done = false
    return {
      bound: keyOf(group[0] as FoundAlert),
      async next() {
        if (done) return null
        done = true
        return loadNoted(group.map(({ _id }) => _id))
      },
    }
  })
}

/** A source for each segment. */
function sourcesOf<Row extends FoundAlert>(
  segments: readonly StoredSegment[],
  { reader, wanted, states, direction, limit, load }: SegmentSearch<Row>,
): Source<Answer<Row>>[] {
  const terms = new TermSearch(wanted)
  return segmentSources({
    segments,
    direction,
    limit,
    load,
    async find(window) {
      const found = new Map<StoredSegment, readonly number[]>()
      const read = new Map<string, Uint8Array>()
      const loading = states?.load(window)
      let left = window.map((segment) => ({
        segment,
        steps: terms.find(segment, pagesAmong(read, segment), (bits) => states?.keep(segment, bits)),
      }))
      while (left.length > 0) {
        const pages: string[] = []
        left = left.filter(({ segment, steps }) => {
          const { done, value } = steps.next()
          if (!done) pages.push(...pageIdsFor(segment, value))
          else if (value) found.set(segment, positionsOf(value))
          return !done
        })
        const [some] = await Promise.all([reader.read(pages), loading])
        for (const [id, bytes] of some) read.set(id, bytes)
      }
      return found
    },
    async idsOf(parts) {
      const pages = parts.flatMap(([segment, positions]) => positions.map((position) => pageId(segment.build, 'ids', idPageOf(position))))
      const read = await reader.read(pages)
      return parts.map(([segment, positions]) => positions.map(idsAmong(read, segment)))
    },
  })
}
