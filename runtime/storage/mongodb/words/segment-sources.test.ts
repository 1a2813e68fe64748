import { expect, test } from 'vitest'
import { type Key, merge } from '../../words/index.ts'
import { segmentSources } from './segment-sources.ts'

interface Row {
  readonly _id: string
  readonly createdAt: number
}

interface Segment {
  readonly first: Key
  readonly last: Key
  readonly rows: readonly Row[]
}

const keyOf = ({ _id, createdAt }: Row): Key => ({ createdAt, uuid: _id })

/** @param times of the rows of a segment, ascending */
function segmentOf(number: number, times: readonly number[]): Segment {
  const rows = times.map((createdAt) => ({ _id: `${createdAt} in ${number}`, createdAt }))
  return { first: keyOf(rows[0]!), last: keyOf(rows.at(-1)!), rows }
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n)
/** Each begins before the one before it has ended. */
const overlapping = numbers(300).map((s) =>
  segmentOf(
    s,
    numbers(40).map((n) => s * 20 + n * 5),
  ),
)
const apart = numbers(300).map((s) =>
  segmentOf(
    s,
    numbers(40).map((n) => (s * 40 + n) * 2),
  ),
)

/** @param mayMatch what the segments find, @param matches what the rows say */
async function searched(
  segments: readonly Segment[],
  direction: 1 | -1,
  limit: number,
  mayMatch: (row: Row) => boolean,
  matches: (row: Row) => boolean,
) {
  const asked = { windows: [] as number[], loads: [] as number[] }
  const byId = new Map(segments.flatMap(({ rows }) => rows.map((row) => [row._id, row])))
  const order = (a: Row, b: Row): number => direction * (a.createdAt - b.createdAt || (a._id < b._id ? -1 : 1))
  const sources = segmentSources<Segment, string, Row>({
    segments,
    direction,
    limit,
    async find(some) {
      asked.windows.push(some.length)
      return new Map(some.map((segment) => [segment, [...segment.rows.keys()].filter((position) => mayMatch(segment.rows[position]!))]))
    },
    idsOf: async (parts) => parts.map(([{ rows }, positions]) => positions.map((position) => rows[position]!._id)),
    async load(ids) {
      asked.loads.push(ids.length)
      const found = ids.map((id) => byId.get(id)!).filter(matches)
      return found.sort(order).slice(0, limit)
    },
  })
  const merging = merge(sources, keyOf, direction, limit)
  let step = merging.next(null)
  while (!step.done) step = merging.next(await step.value.next())
  const wanted = [...byId.values()].filter((row) => mayMatch(row) && matches(row)).sort(order)
  expect(step.value!.map(({ _id }) => _id)).toEqual(wanted.slice(0, limit).map(({ _id }) => _id))
  return asked
}

const any = (): boolean => true
const oneIn =
  (most: number) =>
  ({ createdAt }: Row): boolean =>
    (Math.imul(createdAt + 1, 0x9e3779b1) >>> 8) % most === 0

test.each(
  ([1, -1] as const).flatMap((direction) =>
    [1, 51, 400, 5_000].flatMap((limit) => [1, 7, 50, 900].flatMap((may) => [1, 3, 60].map((match) => ({ direction, limit, may, match })))),
  ),
)('a list of segments, apart and overlapping: %j', async ({ direction, limit, may, match }) => {
  for (const segments of [apart, overlapping]) await searched(segments, direction, limit, oneIn(may), oneIn(match))
})

test('a page that one segment fills takes one search and one look-up', async () => {
  expect(await searched(apart, -1, 32, any, any)).toEqual({ windows: [2], loads: [40] })
})

test('a segment that reaches over all others does not make a page search them', async () => {
  const long = segmentOf(-1, [-1, 100_000])
  expect(await searched([...apart, long], -1, 32, any, any)).toEqual({ windows: [2], loads: [40] })
})

test('a page of rare matches takes a few searches and one look-up', async () => {
  const { windows, loads } = await searched(apart, -1, 51, ({ createdAt }) => createdAt % 160 === 0, any)
  expect(windows).toEqual([2, 8, 32, 128])
  expect(loads).toEqual([64])
})

test('what none matches takes a few look-ups, more at once each time', async () => {
  expect(await searched(apart, -1, 51, any, () => false)).toEqual({
    windows: [2, 8, 32, 128, 128, 2],
    loads: [64, 512, ...Array(11).fill(1_024), 160],
  })
})
