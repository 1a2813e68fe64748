import type { CaseUuid, Scope } from '../../../../domain/index.ts'
import type { CaseQuery } from '../../../port/index.ts'
import { type Key, merge, type Source, type WantedCases, wantedByQuery } from '../../../words/index.ts'
import { segmentSources } from '../../words/index.ts'
import { type CaseSegments, PageGone, type StoredCases } from './segments.ts'

export interface CaseKey {
  readonly _id: CaseUuid
  readonly createdAt: number
}

/** Reads the keys of the first cases that pass all conditions, in the order of the list. */
interface CaseReader {
  among(uuids: readonly CaseUuid[]): Promise<readonly CaseKey[]>
  /** Those that no segment knows as they are. */
  notKnown(): Promise<readonly CaseKey[]>
}

export interface CaseSearch {
  readonly segments: CaseSegments
  readonly scope: Scope
  readonly query: CaseQuery
  readonly read: CaseReader
}

/** How many segments are searched at once for another order: first, how many times more each time, and at most. */
const [segmentsAtFirst, segmentGrowth, segmentsAtOnce] = [2, 4, 64]
/** How often a search begins again because a segment was replaced meanwhile. */
const mostTries = 3

const keyOf = ({ _id, createdAt }: CaseKey): Key => ({ createdAt, uuid: _id })

/** Searches until no segment was replaced meanwhile. Null: that happened again and again, or the search gives null. */
async function steadily<T>(segments: CaseSegments, search: () => Promise<T | null>): Promise<T | null> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    try {
      return await search()
    } catch (error) {
      if (!(error instanceof PageGone)) throw error
      segments.forget()
    }
  }
  return null
}

/** Returns the segments that may have cases from these times, in the order of the list. */
async function within(segments: CaseSegments, { from, to }: WantedCases, direction: 1 | -1): Promise<readonly StoredCases[]> {
  const found = (await segments.all()).filter(({ first, last }) => first.createdAt <= to && last.createdAt >= from)
  return found.sort((a, b) => direction * (a.first.createdAt - b.first.createdAt))
}

/** Returns the cases of a page, in the order of creation. Null: segments were replaced again and again. */
export function searchInOrder({ segments, scope, query, read }: CaseSearch, direction: 1 | -1): Promise<readonly CaseUuid[] | null> {
  const wanted = wantedByQuery(scope, query, direction)
  return steadily(segments, async () => {
    // Before the segments: a case becomes known only after its segment was added.
    const beside = await read.notKnown()
    const sources: Source<Promise<readonly CaseKey[] | null>>[] = segmentSources<StoredCases, CaseUuid, CaseKey>({
      segments: await within(segments, wanted, direction),
      direction,
      limit: query.limit + 1,
      find: (some) => segments.find(some, wanted),
      idsOf: (parts) => segments.uuids(parts),
      load: read.among,
    })
    const [first] = beside
    if (first) sources.push(once(keyOf(first), beside))
    const merging = merge(sources, keyOf, direction, query.limit + 1)
    let step = merging.next(null)
    while (!step.done) step = merging.next(await step.value.next())
    return step.value.map(({ _id }) => _id)
  })
}

function once<T>(bound: Key, rows: T): Source<Promise<T | null>> {
  let left: T | null = rows
  return {
    bound,
    async next() {
      const now = left
      left = null
      return now
    },
  }
}

function next(count: number): number {
  return Math.min(count * segmentGrowth, segmentsAtOnce)
}

/**
 * Returns cases that may match, in any order. Null: there are more than `most`, so that following another order takes less time.
 * @param stored about how many cases there are
 * @param longestBeside if more cases than this are in no segment, as while the index is built for the first time, it gives null
 */
export function searchAll(
  { segments, scope, query, read }: CaseSearch,
  { stored, longestBeside, most }: { readonly stored: number; readonly longestBeside: number; readonly most: number },
): Promise<readonly CaseUuid[] | null> {
  const wanted = wantedByQuery(scope, query, null)
  return steadily(segments, async () => {
    const sealed = (await segments.all()).reduce((sum, { size }) => sum + size, 0)
    if (stored - sealed > longestBeside) return null
    const found = new Set((await read.notKnown()).map(({ _id }) => _id))
    const all = await within(segments, wanted, -1)
    for (let [from, count] = [0, segmentsAtFirst]; from < all.length && found.size <= most; from += count, count = next(count)) {
      const parts = [...(await segments.find(all.slice(from, from + count), wanted))]
      if (parts.reduce((sum, [, positions]) => sum + positions.length, found.size) > most) return null
      for (const uuids of await segments.uuids(parts)) for (const uuid of uuids) found.add(uuid)
    }
    return found.size > most ? null : [...found]
  })
}
