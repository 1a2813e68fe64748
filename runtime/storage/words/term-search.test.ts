import { expect, test } from 'vitest'
import { type Bits, countOf, countOfBoth, noBits, positionsOf, rangeOfBits, segmentSize, setBit } from './bits.ts'
import { type BuiltSegment, SegmentBuilder } from './build.ts'
import { Page } from './page.ts'
import { beginningWith, neededFor, type SegmentHead, type TermRange } from './segment.ts'
import { foundBy, TermSearch } from './term-search.ts'

interface Segment {
  readonly head: SegmentHead
  readonly built: BuiltSegment
  readonly alerts: readonly (readonly string[])[]
}

const size = 600

/** Words a to j are in half of the alerts each, so ten of them leave hardly any. */
function segmentOf(number: number, more: (n: number) => readonly string[]): Segment {
  const alerts = Array.from({ length: size }, (_, n) => {
    const halves = [...'abcdefghij'].filter((_letter, index) => (Math.imul(n + number * 7 + 1, 0x9e3779b1 + index * 0x85ebca6) >>> 13) & 1)
    return ['all', ...halves, ...more(n)]
  })
  const builder = new SegmentBuilder()
  for (const [n, terms] of alerts.entries()) builder.add({ createdAt: n, uuid: 'u' }, terms)
  const building = builder.build()
  let step = building.next()
  while (!step.done) step = building.next()
  return { head: { ...step.value.head, segment: number }, built: step.value, alerts }
}

const thirds = (n: number): readonly string[] => [['x', 'y', 'z'][n % 3]!]
const segments = Array.from({ length: 8 }, (_, number) => segmentOf(number, thirds))

const wantedOf = (words: readonly string[], from = 0, to = size) => ({ terms: words.map((word) => [beginningWith(word)]), from, to })

function expected({ alerts }: Segment, words: readonly string[]): number[] {
  return [...alerts.keys()].filter((n) => words.every((word) => alerts[n]!.some((term) => term.startsWith(word))))
}

/** Searches the segments together, as MongoDB does, and one after the other. Returns how many terms each segment was asked for. */
function searched(search: TermSearch, some: readonly Segment[], words: readonly string[], keep?: (bits: Bits) => void): number[] {
  const running = some.map((segment) => {
    const allowed = { pages: new Set<number>(), summaries: new Set<number>() }
    const among = (kind: 'pages' | 'summaries', index: number): Page => {
      if (!allowed[kind].has(index)) throw new Error(`It did not say that it reads ${kind} ${index}.`)
      return new Page(segment.built[kind][index]!)
    }
    const pages = { page: (index: number) => among('pages', index), summary: (group: number) => among('summaries', group) }
    return { segment, allowed, asked: 0, found: null as Bits | null, done: false, steps: search.find(segment.head, pages, keep) }
  })
  while (running.some(({ done }) => !done))
    for (const one of running.filter(({ done }) => !done)) {
      const step = one.steps.next()
      if (step.done) {
        one.done = true
        one.found = step.value
      } else {
        one.asked += step.value.length
        const needed = neededFor(one.segment.head, step.value as readonly (readonly TermRange[])[])
        for (const index of needed.pages) one.allowed.pages.add(index)
        for (const index of needed.summaries) one.allowed.summaries.add(index)
      }
    }
  if (!keep) expect(running.map(({ found }) => (found ? positionsOf(found) : []))).toEqual(some.map((segment) => expected(segment, words)))
  return running.map(({ asked }) => asked)
}

test.each([
  [[]],
  [['all']],
  [['none']],
  [['a', 'b']],
  [['x', 'y']],
  [['a', 'b', 'none', 'c']],
  [['all', 'a', 'b', 'c', 'x', 'd', 'y', 'e']],
  [['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']],
])('it finds the alerts that have all of %j', (words) => {
  const [together, apart] = [new TermSearch(wantedOf(words)), new TermSearch(wantedOf(words))]
  searched(together, segments.slice(0, 2), words)
  searched(together, segments.slice(2), words)
  for (const segment of segments) {
    const pages = {
      page: (index: number) => new Page(segment.built.pages[index]!),
      summary: (index: number) => new Page(segment.built.summaries[index]!),
    }
    const bits = foundBy(apart, segment.head, pages)
    expect(bits ? positionsOf(bits) : []).toEqual(expected(segment, words))
  }
})

test('after one segment it looks only for the terms that never meet', () => {
  const words = ['all', 'a', 'b', 'x', 'c', 'y', 'd', 'e']
  const search = new TermSearch(wantedOf(words))
  expect(searched(search, segments.slice(0, 2), words)).toEqual([8, 8])
  expect(searched(search, segments.slice(2, 5), words)).toEqual([2, 2, 2])
  expect(searched(search, segments.slice(5), words)).toEqual([2, 2, 2])
})

test('after one segment it looks only for the term that none has', () => {
  const words = ['all', 'a', 'none', 'b']
  const search = new TermSearch(wantedOf(words))
  expect(searched(search, segments.slice(0, 1), words)).toEqual([4])
  expect(searched(search, segments.slice(1, 4), words)).toEqual([1, 1, 1])
})

test('if these terms meet later, it looks for others, and learns again', () => {
  const meeting = [20, 21, 22].map((number) => segmentOf(number, (n) => (n % 2 ? ['x', 'y'] : ['v'])))
  const words = ['all', 'x', 'y', 'v']
  const search = new TermSearch(wantedOf(words))
  searched(search, segments.slice(0, 1), words)
  const [first, ...others] = meeting
  expect(searched(search, [first!], words)[0]).toBeGreaterThan(1)
  expect(searched(search, others, words)).toEqual([2, 2])
})

test('a segment with matches teaches nothing, and all terms are looked for at once', () => {
  const words = ['all', 'a', 'x']
  const search = new TermSearch(wantedOf(words))
  expect(searched(search, segments.slice(0, 2), words)).toEqual([3, 3])
  expect(searched(search, segments.slice(2, 4), words)).toEqual([3, 3])
})

test('what is not wanted for another reason is removed after the first pages are read', () => {
  const search = new TermSearch(wantedOf(['all', 'a']))
  let asked = 0
  const [segment] = segments as [Segment]
  const pages = { page: (index: number) => new Page(segment.built.pages[index]!), summary: () => new Page(segment.built.summaries[0]!) }
  const steps = search.find(segment.head, pages, (bits) => {
    asked += 1
    bits.fill(0, 1)
  })
  expect(steps.next().done).toBe(false)
  expect(asked).toBe(0)
  const { value } = steps.next()
  expect(asked).toBe(1)
  expect(positionsOf(value as Bits)).toEqual(expected(segment, ['all', 'a']).filter((n) => n < 32))
})

test('a segment outside of the times is not asked for anything', () => {
  const search = new TermSearch(wantedOf(['all'], size, size * 2))
  const { head } = segmentOf(1, () => [])
  expect(
    search.find({ ...head, times: head.times.map((time) => time + size * 3) }, { page: () => expect.fail(), summary: () => expect.fail() }).next(),
  ).toEqual({
    done: true,
    value: null,
  })
})

const edges = [0, 1, 31, 32, 33, 63, 64, 100, segmentSize - 33, segmentSize - 1, segmentSize]

test.each(edges.flatMap((from) => edges.map((to) => [from, to] as const)))('positions from %d to %d, and how many they are', (from, to) => {
  const bits = rangeOfBits(from, to)
  expect(positionsOf(bits)).toEqual(Array.from({ length: Math.max(0, to - from) }, (_, n) => from + n))
  expect(countOf(bits)).toBe(Math.max(0, to - from))
})

test('how many positions two sets have in common', () => {
  const [threes, fives] = [noBits(), noBits()]
  for (let n = 0; n < segmentSize; n += 3) setBit(threes, n)
  for (let n = 0; n < segmentSize; n += 5) setBit(fives, n)
  expect(countOfBoth(threes, fives)).toBe(Math.ceil(segmentSize / 15))
})
