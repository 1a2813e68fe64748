import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../../../test/support/clocks/manual-clock.ts'
import { SaidCases, timeOf, uuidOf } from '../../../../../test/support/stores/said-cases.ts'
import { until } from '../../../../../test/support/until.ts'
import { systemIds } from '../../../../config/seams.ts'
import { asId, caseSorts, foldCase, type Millis, type OrganizationId, systemScope, type TimelineEntry } from '../../../../domain/index.ts'
import type { CaseQuery } from '../../../port/index.ts'
import { segmentSize } from '../../../words/index.ts'
import { assemble } from '../../assemble.ts'
import type { Collections } from '../../database/collections.ts'
import { rebuildWords } from '../../recovery/index.ts'
import type { SealingLimits } from './sealing.ts'

const url = process.env['MONGODB_URL']
// These tests need a MongoDB replica set. Without MONGODB_URL they are skipped.
if (!url) console.log('skipped: the search for cases in MongoDB (MONGODB_URL is not set)')

/** Two segments, and cases in none. */
const tail = 700
const count = 2 * segmentSize + tail
/** Smaller ones, for tests that change cases. */
const small: SealingLimits = { segment: 300, newest: 20, changed: 60 }
const smallTail = 70
const smallCount = 2 * small.segment + smallTail

/** @param edge when the first segment ends */
const rareAround = (edge: Millis): readonly Partial<CaseQuery>[] => [
  { words: ['rare', 'ODD'] },
  { words: ['nowhere'] },
  { words: ['bananana'] },
  { words: ['odd', 'even'] },
  { words: ['ß'] },
  { words: ['O-4711'] },
  { words: ['-47'] },
  { words: ['!'] },
  { words: ['\ud83e'] },
  { words: ['GRÖẞE'] },
  { words: ['user96', 'banana', '3'] },
  { words: ['nothing\twas', '-81'] },
  { words: ['even'], organizations: [asId<OrganizationId>('small')] },
  { words: ['even'], organizations: [] },
  { words: ['even'], createdFrom: edge - 20, createdTo: edge + 20 },
  { words: ['banana'], severities: ['high'], organizations: [asId<OrganizationId>('small')] },
  { words: ['r'], dispositions: ['malicious'], createdFrom: edge },
]
/** Those that many cases match, on both sides of the end of a segment. */
const commonAround = (edge: Millis): readonly Partial<CaseQuery>[] =>
  [['sign-in'], ['GN-I'], ['even'], ['r'], ['cm'], ['🦊x'], ['sign', 'in', 'of', 'user1', 'acme', 'example', 'nothing', 'found']].map((words) => ({
    words,
    createdFrom: edge - 90,
    createdTo: edge + 90,
  }))

describe.skipIf(!url)('the search for what cases say in MongoDB', () => {
  const edge = timeOf(segmentSize)
  let said: SaidCases

  beforeAll(async () => {
    said = await SaidCases.fill(url ?? '', count)
    await said.seal()
  })
  afterAll(() => said.close())

  /** A store that tells which documents of cases it looks up by their ids. */
  function watched(): { readonly looked: () => number; readonly over: Partial<Collections> } {
    let looked = 0
    const cases = new Proxy(said.collections.cases, {
      get(target, property) {
        const value = Reflect.get(target, property, target)
        if (property !== 'find') return typeof value === 'function' ? value.bind(target) : value
        return (...parameters: Parameters<typeof target.find>) => {
          const text = JSON.stringify(parameters[0])
          looked += text.includes('"_id":{"$in"') ? (text.match(/"\d{7}"/g) ?? []).length : text.includes('$type') ? 0 : Number.NaN
          return target.find(...parameters)
        }
      },
    })
    return { looked: () => looked, over: { cases } }
  }

  test('finds the same as a plain look at all cases, with each order', async () => {
    expect([await said.segments(), await said.notKnown()]).toEqual([2, [tail, 0]])
    expect(await said.wrongIn([...rareAround(edge), ...commonAround(edge)], said.another())).toEqual([])
    for (const sort of caseSorts)
      for (const words of [['rare'], ['banana', '6'], ['nowhere']])
        expect([sort, words, (await said.everyPage({ words }, sort, 777)).sort()]).toEqual([sort, words, said.expected({ words })])
    // More cases than are looked up one by one.
    expect((await said.everyPage({ words: ['sign-in'] }, '-modified_at')).sort()).toEqual(said.expected({}))
  })

  test('finds random parts of random cases', async () => {
    let seed = 7
    const below = (most: number): number => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % most
    }
    const queries = Array.from({ length: 60 }, (_, index) => {
      const { title, summary } = said.says[below(count)]!
      const text = [...`${title} ${summary ?? ''} O-${below(count)}`]
      const words = Array.from({ length: 1 + (index % 3) }, () => {
        const from = below(text.length - 1)
        return text.slice(from, from + 1 + below(7)).join('')
      }).filter((word) => word.trim() !== '')
      return {
        words,
        createdFrom: timeOf(below(count)),
        createdTo: timeOf(count),
        organizations: [asId<OrganizationId>(index % 4 ? 'small' : 'large')],
      }
    })
    expect(await said.wrongIn(queries)).toEqual([])
  })

  test('a page has its cases once, with any limit, and continues where the last one ended', async () => {
    for (const sort of caseSorts)
      for (const limit of [1, 3]) expect((await said.everyPage({ words: ['GRÖß'] }, sort, limit)).sort()).toEqual(said.expected({ words: ['GRÖß'] }))
  })

  test('a word that no case has takes no look at a case of a segment, and a common one at few', async () => {
    const { looked, over } = watched()
    const store = said.another(over)
    for (const sort of caseSorts) expect(await said.everyPage({ words: ['nowhere'] }, sort, 50, store)).toEqual([])
    expect(looked()).toBe(0)
    const page = await store.list(systemScope, { words: ['sign-in'], sort: 'created_at', after: null, limit: 50 })
    expect(page.items).toHaveLength(50)
    expect(looked()).toBeLessThanOrEqual(256 + 51)
  })

  test('the server examines only the cases that no segment knows', async () => {
    const { database } = said.opened
    await database.command({ profile: 2 })
    for (const sort of caseSorts) expect(await said.everyPage({ words: ['nowhere'] }, sort, 50, said.another())).toEqual([])
    expect(await said.everyPage({ words: ['O-4711'] }, '-created_at', 50)).toEqual([uuidOf(4_711)])
    await database.command({ profile: 0 })
    const seen = await database.collection('system.profile').find({ 'command.find': 'cases' }).toArray()
    await database.dropCollection('system.profile')
    expect(seen.length).toBeGreaterThanOrEqual(caseSorts.length)
    expect(Math.max(...seen.map(({ docsExamined }) => Number(docsExamined)))).toBeLessThanOrEqual(tail)
    expect(new Set(seen.map(({ planSummary }) => planSummary))).toEqual(new Set(['IXSCAN { createdAt: 1, _id: 1, sealed: 1 }', 'IXSCAN { _id: 1 }']))
  })

  test('the server does not try indexes for each field that may have a common word', async () => {
    const { database } = said.opened
    for (const sort of ['-modified_at', 'modified_at', 'severity'] as const) {
      await database.command({ profile: 2 })
      expect((await said.store.list(systemScope, { words: ['sign-in'], sort, after: null, limit: 9 })).items).toHaveLength(9)
      await database.command({ profile: 0 })
      const sorted = { 'command.find': 'cases', 'command.sort': { $exists: true } }
      const seen = await database.collection('system.profile').find(sorted).toArray()
      await database.dropCollection('system.profile')
      expect(seen.length).toBeGreaterThan(0)
      for (const { command } of seen) {
        const { find, filter, sort: order, limit } = command
        const plan = await database.command({ explain: { find, filter, sort: order, limit }, verbosity: 'queryPlanner' })
        expect([sort, JSON.stringify(plan['queryPlanner'].winningPlan)]).toEqual([sort, expect.not.stringContaining('SUBPLAN')])
      }
    }
  })

  test('the patterns of MongoDB equate no letters that the index does not', async () => {
    const characters = Array.from({ length: 0x1_ffff }, (_, index) => String.fromCodePoint(index + 1)).filter(
      (character) => character.toLowerCase() !== character || character.toUpperCase() !== character,
    )
    expect(characters.length).toBeGreaterThan(2_500)
    const letters = said.opened.database.collection<{ _id: number; letter: string }>('letters')
    await letters.insertMany(characters.map((letter, _id) => ({ _id, letter })))
    const groups = new Map(characters.map((character, n) => [foldCase(character), n]))
    const numberOf = (letter: string): number => groups.get(foldCase(letter)) ?? 0
    const wrong: string[] = []
    // The numbers of two groups differ in a bit. One of its two patterns has the letter that is found, and not the one that finds it.
    for (let bit = 1; bit < characters.length; bit *= 2)
      for (const value of [0, bit]) {
        const some = characters.filter((letter) => (numberOf(letter) & bit) === value)
        const found = await letters.find({ letter: new RegExp(some.join('|'), 'i') }).toArray()
        expect(found.length).toBeGreaterThanOrEqual(some.length)
        wrong.push(...found.filter(({ letter }) => (numberOf(letter) & bit) !== value).map(({ letter }) => `${bit} ${value} ${letter}`))
      }
    expect(wrong).toEqual([])
    await letters.drop()
  })

  test('the sweeper of any process builds segments, reports what fails, and stops when the store closes', async () => {
    await said.reset()
    const [notices, clock] = [[] as string[], new ManualClock()]
    let fails = true
    const caseSegments = new Proxy(said.collections.caseSegments, {
      get(target, property) {
        const value = Reflect.get(target, property, target)
        if (property === 'insertOne' && fails) return () => Promise.reject(new Error('no primary'))
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const { aggregates, close } = assemble({ ...said.collections, caseSegments }, clock, systemIds, ({ level, message }) =>
      notices.push(`${level}: ${message}`),
    )
    const sweepUntil = (happened: () => Promise<boolean>): Promise<unknown> =>
      until(async () => {
        clock.leap(16_000)
        await aggregates.alerts.repair(systemScope, 0)
        return happened()
      })
    await sweepUntil(async () => notices.length > 0)
    expect(notices).toEqual([expect.stringMatching(/^warn: The index of cases .* Reason: no primary$/)])
    fails = false
    await sweepUntil(async () => notices.length > 1)
    expect([await said.segments(), await said.notKnown(), notices[1]]).toEqual([2, [tail, 0], expect.stringMatching(/^info: /)])
    await said.change({ summary: 'zebra' }, ...Array.from({ length: 1_100 }, (_, n) => n))
    await sweepUntil(async () => (await said.notKnown())[1] === 0)
    await close()
    await said.change({ summary: 'okapi' }, ...Array.from({ length: 1_100 }, (_, n) => n))
    for (let looks = 0; looks < 8; looks += 1) {
      clock.leap(16_000)
      await aggregates.alerts.repair(systemScope, 0)
    }
    expect(await said.notKnown()).toEqual([tail, 1_100])
  })
})

describe.skipIf(!url)('the search for cases that change in MongoDB', () => {
  const edge = timeOf(small.segment)
  let said: SaidCases

  beforeAll(async () => {
    said = await SaidCases.fill(url ?? '', smallCount, small)
  })
  afterAll(() => said.close())
  beforeEach(async () => {
    await said.reset()
    await said.seal()
  })

  const entryOf = (at: number, body: TimelineEntry['body']): TimelineEntry => ({
    key: systemIds.uuid(),
    at,
    actor: { run: null, step: '' } as never,
    body,
  })

  test('a case that says something else is found by it, and a change of anything else leaves it known', async () => {
    const record = (n: number, change: Parameters<typeof said.store.record>[2]) =>
      said.store.record(systemScope, uuidOf(n), change, entryOf(timeOf(n) + 60_000, { kind: 'note', text: 'x' }))
    for (let n = 0; n < 40; n += 1) await record(n, { status: 'closed', assignee: 'Ann' })
    expect(await said.notKnown()).toEqual([smallTail, 0])
    const closed = await said.everyPage({ words: ['sign-in'], assignees: ['Ann'] }, '-modified_at', 7)
    expect(closed.sort()).toEqual(Array.from({ length: 40 }, (_, n) => uuidOf(n)).sort())
    expect((await said.store.get(systemScope, uuidOf(3)))?.modifiedAt).toBe(timeOf(3) + 60_000)
    // The second change of a case that stayed known.
    await record(4, { title: 'Retitled MALWARE' })
    await record(5, { summary: 'zebra' })
    await record(smallCount - 1, { summary: 'zebra' })
    for (const [n, now] of [
      [4, { title: 'Retitled MALWARE' }],
      [5, { summary: 'zebra' }],
      [smallCount - 1, { summary: 'zebra' }],
    ] as const)
      said.says[n] = { ...said.says[n]!, ...now }
    expect(await said.notKnown()).toEqual([smallTail, 2])
    expect(
      await said.wrongIn([{ words: ['malware'] }, { words: ['zebra'] }, { words: ['rare'] }, { words: ['O-4'], createdTo: timeOf(50) }]),
    ).toEqual([])
    // A change after it that says the same leaves it to be looked at.
    await record(4, { status: 'closed' })
    expect(await said.notKnown()).toEqual([smallTail, 2])
    expect(await said.wrongIn([{ words: ['malware'] }])).toEqual([])
  })

  test('a change by a process that does not know of the index is found', async () => {
    await said.change({ title: 'From an OLDER version' }, 0, 17, small.segment + 3, smallCount - 1)
    expect(await said.notKnown()).toEqual([smallTail, 3])
    expect(await said.wrongIn([{ words: ['older', 'version'] }, { words: ['odd'], createdTo: timeOf(30) }])).toEqual([])
  })

  test('a case that another alert joins is found', async () => {
    await said.collections.cases.updateOne({ _id: uuidOf(9) }, { $max: { modifiedAt: timeOf(9) + 9_000 } })
    await said.collections.cases.updateOne({ _id: uuidOf(10) }, [{ $set: { modifiedAt: { $max: ['$modifiedAt', 1] } } }])
    expect(
      await said.wrongIn([
        { words: ['O-9'], createdTo: timeOf(30) },
        { words: ['O-10'], createdTo: timeOf(30) },
      ]),
    ).toEqual([])
  })

  test('a process that lost the race for a segment builds the next one, although no new case came', async () => {
    await said.reset()
    let lost = false
    const caseSegments = new Proxy(said.collections.caseSegments, {
      get(target, property) {
        const value = Reflect.get(target, property, target)
        if (property !== 'insertOne') return typeof value === 'function' ? value.bind(target) : value
        return async (...parameters: Parameters<typeof target.insertOne>) => {
          // Another process adds this one, and dies.
          if (!lost) await said.sealing().sealNew()
          lost = true
          return target.insertOne(...parameters)
        }
      },
    })
    const clock = new ManualClock()
    const sealing = said.sealing({ caseSegments }, clock)
    await until(async () => {
      clock.leap(16_000)
      sealing.start()
      return (await said.segments()) === 2
    })
    await sealing.stop()
    expect([lost, await said.notKnown()]).toEqual([true, [smallTail, 0]])
  })

  test('is right after the index was thrown away and built again, as after a restored dump', async () => {
    await said.change({ summary: 'zebra' }, 1, 2, 3)
    await rebuildWords(said.collections, systemIds)
    expect([await said.segments(), await said.notKnown()]).toEqual([0, [smallCount, 0]])
    expect(await said.collections.casePages.countDocuments()).toBe(0)
    const store = said.another()
    expect(await said.wrongIn(rareAround(edge).slice(0, 4), store)).toEqual([])
    await said.seal()
    expect([await said.segments(), await said.notKnown()]).toEqual([2, [smallTail, 0]])
    expect(await said.wrongIn([{ words: ['zebra'] }, ...rareAround(edge)], store)).toEqual([])
  })
})
