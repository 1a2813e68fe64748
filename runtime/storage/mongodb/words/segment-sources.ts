import type { Key, Source } from '../../words/index.ts'

/** How many segments are searched at once: first, how many times more each time, and at most. */
const [segmentsAtFirst, segmentGrowth, segmentsAtOnce] = [2, 4, 64]
/** How many alerts or cases are looked up at once. */
const lookedUpAtOnce = 256

interface Segment {
  readonly first: Key
  readonly last: Key
}

interface SegmentSearch<S extends Segment, Id extends string, Row> {
  /** In the order of the list. */
  readonly segments: readonly S[]
  readonly direction: 1 | -1
  /** Returns what each of these segments has that may match, by position, ascending. */
  readonly find: (segments: readonly S[]) => Promise<ReadonlyMap<S, readonly number[]>>
  /** Returns the ids at these positions. */
  readonly idsOf: (parts: readonly (readonly [S, readonly number[]])[]) => Promise<readonly (readonly Id[])[]>
  /** Returns those of these rows that match, in the order of the list. */
  readonly load: (ids: readonly Id[]) => Promise<readonly Row[]>
}

/** A source for each segment. They read together: the pages of several segments, and the rows of several that have few. */
export function segmentSources<S extends Segment, Id extends string, Row extends { readonly _id: Id }>({
  segments,
  direction,
  find,
  idsOf,
  load,
}: SegmentSearch<S, Id, Row>): Source<Promise<readonly Row[] | null>>[] {
  const found = new Map<S, readonly number[]>()
  const loaded = new Map<S, readonly Row[]>()
  let atOnce = segmentsAtFirst

  async function findFrom(from: number): Promise<void> {
    const window = segments.slice(from, from + atOnce).filter((segment) => !found.has(segment))
    atOnce = Math.min(atOnce * segmentGrowth, segmentsAtOnce)
    for (const [segment, positions] of await find(window)) found.set(segment, direction === 1 ? positions : positions.toReversed())
  }

  /** Loads the rows of a segment that has few, and of those after it while there are few in all. */
  async function loadFew(from: number): Promise<void> {
    const parts: [S, readonly number[]][] = []
    let count = 0
    for (const segment of segments.slice(from)) {
      const positions = found.get(segment)
      count += positions?.length ?? Number.POSITIVE_INFINITY
      if (!positions || count > lookedUpAtOnce) break
      parts.push([segment, positions])
    }
    const ids = await idsOf(parts)
    const rows = await load(ids.flat())
    for (const [index, [segment]] of parts.entries()) {
      const own = new Set(ids[index])
      loaded.set(
        segment,
        rows.filter(({ _id }) => own.has(_id)),
      )
    }
  }

  return segments.map((segment, index) => {
    let done = 0
    return {
      bound: direction === 1 ? segment.first : segment.last,
      async next() {
        if (!found.has(segment)) await findFrom(index)
        const positions = found.get(segment) ?? []
        if (done >= positions.length) return null
        if (positions.length <= lookedUpAtOnce) {
          if (!loaded.has(segment)) await loadFew(index)
          done = positions.length
          return loaded.get(segment) ?? []
        }
        const [ids = []] = await idsOf([[segment, positions.slice(done, done + lookedUpAtOnce)]])
        done += lookedUpAtOnce
        return load(ids)
      },
    }
  })
}
