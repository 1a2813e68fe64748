import { expect, test } from 'vitest'
import { type Bits, positionsOf, segmentSize } from './bits.ts'
import { type BuiltSegment, SegmentBuilder } from './build.ts'
import { merge, type Source } from './merge.ts'
import { Page } from './page.ts'
import { beginningWith, exactly, type Key, matching, neededFor, type SegmentHead, type TermRange } from './segment.ts'
import { sorted } from './sorted.ts'

interface Segment {
  readonly head: SegmentHead
  readonly find: (terms: readonly TermRange[][], from?: number, to?: number) => number[]
  readonly read: Set<string>
  readonly needed: (terms: readonly TermRange[][]) => Set<string>
}

function segmentOf(alerts: readonly (readonly string[])[]): Segment {
  const builder = new SegmentBuilder()
  for (const [position, terms] of alerts.entries()) builder.add({ createdAt: position, uuid: 'u' }, terms)
  const building = builder.build()
  let step = building.next()
  while (!step.done) step = building.next()
  const { head, pages, summaries }: BuiltSegment = step.value
  const read = new Set<string>()
  const get = (kind: string, bytes: readonly Uint8Array[], index: number): Page => {
    read.add(`${kind} ${index}`)
    return new Page(bytes[index]!)
  }
  const given = { page: (index: number) => get('page', pages, index), summary: (group: number) => get('summary', summaries, group) }
  const whole = { ...head, segment: 1 }
  return {
    head: whole,
    read,
    needed: (terms) => {
      const { pages, summaries } = neededFor(whole, terms)
      return new Set([...[...pages].map((index) => `page ${index}`), ...[...summaries].map((index) => `summary ${index}`)])
    },
    find: (terms, from = 0, to = Number.MAX_SAFE_INTEGER) => {
      const bits: Bits | null = matching(whole, given, { terms, from, to })
      return bits ? positionsOf(bits) : []
    },
  }
}

/** Alerts with words of very different frequency, in many pages and groups of pages. */
const alerts = Array.from({ length: segmentSize }, (_, n) => [
  'all',
  n % 2 ? 'odd' : 'even',
  `mod${n % 300}`,
  ...Array.from({ length: 5 }, (_, i) => `n${String(n * 5 + i).padStart(6, '0')}`),
  ...(n % 7 ? [] : ['größe', '日本']),
])
const segment = segmentOf(alerts)

const having = (...tests: ((term: string) => boolean)[]): number[] =>
  [...alerts.keys()].filter((position) => tests.every((test) => alerts[position]!.some(test)))

test.each([
  'all',
  'odd',
  'o',
  'm',
  'mod1',
  'mod299',
  'n',
  'n0',
  'n00',
  'n0000',
  'n00001',
  'n01234',
  'n012345',
  'größe',
  'g',
  '日',
  '日本',
  '',
  'a',
  'zz',
  '0',
])('the alerts that have a word that begins with "%s"', (word) => {
  expect(segment.find([[beginningWith(word)]])).toEqual(having((term) => term.startsWith(word)))
})

test.each(['all', 'mod1', 'mod10', 'n000001', 'n00000', 'nothing', '日本'])('the alerts that have the word "%s"', (word) => {
  expect(segment.find([[exactly(word)]])).toEqual(having((term) => term === word))
})

test('all of several words, and one of several', () => {
  expect(segment.find([[beginningWith('odd')], [beginningWith('even')]])).toEqual([])
  expect(segment.find([[beginningWith('mod1')], [beginningWith('odd')], [beginningWith('n0')]])).toEqual(
    having(
      (term) => term.startsWith('mod1'),
      (term) => term === 'odd',
    ),
  )
  expect(segment.find([[exactly('mod5'), exactly('mod7')]])).toEqual(having((term) => term === 'mod5' || term === 'mod7'))
  expect(segment.find([[]])).toEqual([])
})

test('the beginning of twenty thousand words takes two pages and a summary for each group', () => {
  segment.read.clear()
  segment.find([[beginningWith('n0')]])
  const groups = Math.ceil(segment.head.terms.length / 32)
  expect(groups).toBeGreaterThan(3)
  expect(segment.read.size).toBeLessThanOrEqual(2 + groups)
})

test.each(['all', 'n', 'n00', 'm', ''])('only the pages are read that a store was told to read at once: "%s"', (word) => {
  segment.read.clear()
  segment.find([[beginningWith(word)], [beginningWith('all')]])
  const needed = segment.needed([[beginningWith(word)], [beginningWith('all')]])
  expect([...segment.read].filter((page) => !needed.has(page))).toEqual([])
})

test('limits of time leave out what is created before or after, but for the edges', () => {
  const found = segment.find([[beginningWith('all')]], 1_000, 2_000)
  expect(found).toEqual(expect.arrayContaining(Array.from({ length: 1_001 }, (_, n) => 1_000 + n)))
  expect(found.length).toBeLessThan(1_001 + 2 * 256)
  expect(segment.find([[beginningWith('all')]], segmentSize)).toHaveLength(256)
})

test('all alerts of a segment may have the same creation time', () => {
  const builder = new SegmentBuilder()
  for (let n = 0; n < 1_000; n += 1) builder.add({ createdAt: 5, uuid: String(n) }, ['x'])
  const building = builder.build()
  let step = building.next()
  while (!step.done) step = building.next()
  const { head, pages, summaries } = step.value
  const given = { page: (index: number) => new Page(pages[index]!), summary: (group: number) => new Page(summaries[group]!) }
  const bits = matching({ ...head, segment: 1 }, given, { terms: [[beginningWith('x')]], from: 5, to: 5 })
  expect(positionsOf(bits!)).toHaveLength(1_000)
})

test('half a surrogate pair at the end of a word is found as databases return it', () => {
  const cut = 'a𝒜'.slice(0, 2)
  expect(segmentOf([[cut.toWellFormed()], ['b']]).find([[exactly(cut)]])).toEqual([0])
})

/** Texts in no order: the same ones at each run. */
const mixed = (count: number): string[] => Array.from({ length: count }, (_, n) => `${(n * 7_919) % 100_003}${n % 5 ? '' : 'ö𝒜日'}`)

test.each([0, 1, 4_095, 4_096, 4_097, 30_000])('%d terms are sorted in parts as at once, by their code units', (count) => {
  const sorting = sorted(mixed(count))
  let [step, pauses] = [sorting.next(), 0]
  for (; !step.done; step = sorting.next()) pauses += 1
  expect(step.value).toEqual(mixed(count).sort())
  expect(pauses).toBeGreaterThanOrEqual(Math.floor(count / 4_096))
})

test('many terms are sorted with pauses before the first page is encoded', () => {
  const builder = new SegmentBuilder()
  for (let n = 0; n < 60; n += 1)
    builder.add(
      { createdAt: n, uuid: 'u' },
      Array.from({ length: 512 }, (_, i) => `w${(n * 512 + i) % 9_973} ${n}`),
    )
  let pauses = 0
  for (const building = builder.build(); !building.next().done; ) pauses += 1
  // Seven while eight parts are sorted, seven for each of three times that they are merged, and seven for groups of pages.
  expect(pauses).toBeGreaterThanOrEqual(4 * 7 + 7)
})

/** A source of keys, a few at a time. Counts how often it is asked. */
function sourceOf(keys: readonly Key[], direction: 1 | -1, size: number): Source<readonly Key[] | null> & { asked: number } {
  const sorted = [...keys].sort((a, b) => direction * (a.createdAt - b.createdAt || a.uuid.localeCompare(b.uuid)))
  let from = 0
  return {
    asked: 0,
    bound: sorted[0] ?? { createdAt: 0, uuid: '' },
    next() {
      this.asked += 1
      if (from >= sorted.length) return null
      from += size
      // An answer without rows, as when a filter leaves none.
      return from === size * 2 ? [] : sorted.slice(from - size, from)
    },
  }
}

test.each([1, -1] as const)('sources that overlap are merged into one order (%d)', (direction) => {
  const key = (n: number): Key => ({ createdAt: Math.floor(n / 3), uuid: String(n).padStart(3, '0') })
  const parts = [0, 1, 2].map((part) => Array.from({ length: 40 }, (_, n) => key(part * 20 + n * 2 + (part % 2))))
  const sources = parts.map((keys) => sourceOf(keys, direction, 50))
  const merging = merge(sources, (row: Key) => row, direction, 1_000)
  let step = merging.next(null)
  while (!step.done) step = merging.next(step.value.next())
  const expected = [...new Set(parts.flat().map(({ uuid }) => uuid))].sort((a, b) => direction * a.localeCompare(b))
  expect(step.value.map(({ uuid }) => uuid)).toEqual(expected)
})

test('a row that two sources have is in the list once', () => {
  const keys = [1, 2, 3].map((createdAt): Key => ({ createdAt, uuid: 'a' }))
  const merging = merge([sourceOf(keys, 1, 5), sourceOf(keys.slice(1), 1, 5)], (row: Key) => row, 1, 10)
  let step = merging.next(null)
  while (!step.done) step = merging.next(step.value.next())
  expect(step.value).toEqual(keys)
})

test('a source is not asked before a row of it can come next', () => {
  const sources = [10, 20, 30].map((from) => sourceOf([{ createdAt: from, uuid: 'a' }], -1, 5))
  const merging = merge(sources, (row: Key) => row, -1, 1)
  let step = merging.next(null)
  while (!step.done) step = merging.next(step.value.next())
  expect(step.value).toEqual([{ createdAt: 30, uuid: 'a' }])
  expect(sources.map(({ asked }) => asked)).toEqual([0, 0, 1])
})
