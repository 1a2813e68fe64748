import type { Key, Source } from '../../words/index.ts'

/** How many segments are searched at once: first, how many times more each time, and at most. */
const [segmentsAtFirst, segmentGrowth, segmentsAtOnce] = [2, 4, 128]
/** How many times more alerts or cases are looked up each time, and how many at most. */
const [lookUpGrowth, lookedUpAtOnce] = [8, 1_024]

interface Segment {
  readonly first: Key
  readonly last: Key
}

interface SegmentSearch<S extends Segment, Id extends string, Row> {
  readonly segments: readonly S[]
  readonly direction: 1 | -1
  /** How many rows the list has at most. */
  readonly limit: number
  /** Returns what each of these segments has that may match, by position, ascending. */
  readonly find: (segments: readonly S[]) => Promise<ReadonlyMap<S, readonly number[]>>
  /** Returns the ids at these positions. */
  readonly idsOf: (parts: readonly (readonly [S, readonly number[]])[]) => Promise<readonly (readonly Id[])[]>
  /** Returns those of these rows that match, in the order of the list. */
  readonly load: (ids: readonly Id[]) => Promise<readonly Row[]>
}

/**
 * A source for each segment. They read together: the pages of several segments, and then the rows of several that have few. So a search takes
 * few commands, one after the other.
 */
export function segmentSources<S extends Segment, Id extends string, Row extends { readonly _id: Id }>({
  segments: unordered,
  direction,
  limit,
  find,
  idsOf,
  load,
}: SegmentSearch<S, Id, Row>): Source<Promise<readonly Row[] | null>>[] {
  const bound = ({ first, last }: S): Key => (direction === 1 ? first : last)
  // As the list opens them. A segment may reach over many others.
  const segments = [...unordered].sort((a, b) => direction * (bound(a).createdAt - bound(b).createdAt))
  /** Of the segments that were searched: what is not looked up yet, in the order of the list. */
  const left = new Map<S, readonly number[]>()
  const loaded = new Map<S, readonly Row[]>()
  /** How many segments are searched, and how much of what they have is not looked up yet. */
  let [searched, waiting] = [0, 0]
  let window = segmentsAtFirst
  // Mostly all rows match. A few more than the list has, because some may not.
  let atOnce = Math.min(Math.ceil(limit * 1.25), lookedUpAtOnce)

  /** Searches up to this segment, and then until there is enough to look up at once. */
  async function findUntil(index: number): Promise<void> {
    while (searched < segments.length && (searched <= index || waiting < atOnce)) {
      const next = segments.slice(searched, searched + window)
      window = Math.min(window * segmentGrowth, segmentsAtOnce)
      const found = await find(next)
      for (const segment of next) {
        const positions = found.get(segment) ?? []
        left.set(segment, direction === 1 ? positions : positions.toReversed())
        waiting += positions.length
      }
      searched += next.length
    }
  }

  /** Loads rows of this segment, and of those after it if there is room. */
  async function loadFrom(from: number): Promise<void> {
    const parts: [S, readonly number[]][] = []
    let room = atOnce
    for (const segment of segments.slice(from, searched)) {
      const positions = left.get(segment) ?? []
      // What is loaded of a segment must be taken first.
      if (positions.length === 0 || loaded.has(segment)) continue
      parts.push([segment, positions.slice(0, room)])
      left.set(segment, positions.slice(room))
      room -= Math.min(room, positions.length)
      if (room === 0) break
    }
    waiting -= atOnce - room
    atOnce = Math.min(atOnce * lookUpGrowth, lookedUpAtOnce)
    const ids = await idsOf(parts)
    const byId = new Map((await load(ids.flat())).map((row) => [row._id, row]))
    for (const [index, [segment]] of parts.entries())
      loaded.set(
        segment,
        ids[index]!.flatMap((id) => byId.get(id) ?? []),
      )
  }

  return segments.map((segment, index) => ({
    bound: bound(segment),
    async next() {
      const isDone = (): boolean => left.get(segment)?.length === 0
      if (!loaded.has(segment)) {
        if (!isDone()) await findUntil(index)
        if (isDone()) return null
        await loadFrom(index)
      }
      const rows = loaded.get(segment) ?? []
      loaded.delete(segment)
      return rows
    },
  }))
}
