import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SaidCases, uuidOf } from '../../../../../test/support/stores/said-cases.ts'
import type { Collections } from '../../database/collections.ts'
import type { SealingLimits } from './sealing.ts'

const url = process.env['MONGODB_URL']
// These tests need a MongoDB replica set. Without MONGODB_URL they are skipped.
if (!url) console.log('skipped: segments of what cases say in MongoDB (MONGODB_URL is not set)')

/** Smaller ones than Tocsin builds, so that each moment of their life can be tried. */
const limits: SealingLimits = { segment: 300, newest: 20, changed: 40 }
/** One segment, and cases in none. */
const count = 340
const tail = count - limits.segment
/** Enough changed cases that their segment is built again. */
const many = Array.from({ length: 50 }, (_, n) => n * 5)

const names = ['cases', 'caseSegments', 'casePages'] as const
const writing = ['bulkWrite', 'insertMany', 'insertOne', 'updateMany', 'updateOne', 'deleteMany'] as const
const reading = ['find', 'aggregate'] as const

class Died extends Error {}

describe.skipIf(!url)('segments of what cases say in MongoDB', () => {
  let said: SaidCases

  beforeAll(async () => {
    said = await SaidCases.fill(url ?? '', count, limits)
  })
  afterAll(() => said.close())
  beforeEach(() => said.reset())

  /** Collections that call something before and after each write, and before each read. */
  function around(
    happens: (what: string, when: 'before' | 'after') => Promise<void> | void,
    which: readonly string[] = writing,
  ): Pick<Collections, (typeof names)[number]> {
    const proxies = names.map((name) => [
      name,
      new Proxy(said.collections[name] as object, {
        get(target, property) {
          const value = Reflect.get(target, property, target)
          if (typeof value !== 'function') return value
          if (!which.includes(String(property))) return value.bind(target)
          const what = `${name}.${String(property)}`
          if ((reading as readonly unknown[]).includes(property))
            return (...parameters: unknown[]) => {
              const cursor: { toArray: () => Promise<unknown> } = Reflect.apply(value, target, parameters)
              const { toArray } = cursor
              cursor.toArray = async () => {
                await happens(what, 'before')
                const found = await toArray.call(cursor)
                await happens(what, 'after')
                return found
              }
              return cursor
            }
          return async (...parameters: unknown[]) => {
            await happens(what, 'before')
            const result = await Reflect.apply(value, target, parameters)
            await happens(what, 'after')
            return result
          }
        },
      }),
    ])
    return Object.fromEntries(proxies)
  }

  /** Collections of a process that dies at a moment. Counts the moments. */
  function dying(at: number): { readonly over: Pick<Collections, (typeof names)[number]>; readonly moments: string[] } {
    const moments: string[] = []
    const over = around((what, when) => {
      if (moments.push(`${when} ${what}`) >= at) throw new Died()
    })
    return { over, moments }
  }

  const queries = [{ words: ['rare'] }, { words: ['O-310'] }, { words: ['zebra', 'user5@'] }, { words: ['nothing', 'user9@', '-2'] }]
  async function isRight(): Promise<void> {
    expect(await said.wrongIn(queries, said.another())).toEqual([])
    expect(await said.wrongIn(queries)).toEqual([])
  }

  test('take the oldest cases, and leave the newest ones', async () => {
    await said.seal()
    expect([await said.segments(), await said.notKnown()]).toEqual([1, [tail, 0]])
    await isRight()
    const few = await SaidCases.fill(url ?? '', limits.segment + limits.newest - 1, limits)
    await few.seal()
    expect(await few.segments()).toBe(0)
    await few.close()
  })

  test('are built again when many of their cases say something else, and old ones are deleted', async () => {
    await said.seal()
    await said.change({ summary: 'zebra' }, ...many.slice(0, 39))
    await said.seal()
    expect(await said.notKnown()).toEqual([tail, 39])
    await isRight()
    await said.change({ title: 'user5@zebra' }, ...many)
    await said.seal()
    expect([await said.segments(), await said.notKnown()]).toEqual([1, [tail, 0]])
    expect(await said.collections.caseSegments.findOne({}, { projection: { place: 1, marked: 1 } })).toEqual({ _id: 2, place: 1, marked: true })
    expect(await said.collections.casePages.distinct('segment')).toEqual([2])
    await isRight()
  })

  test('take cases that came late', async () => {
    await said.seal()
    const late = Array.from({ length: limits.segment }, (_, n) => count + n)
    for (const n of late) {
      said.late.set(n, 1_795_000_000_100 + (n % 40))
      said.says.push({ title: `late zebra user${n % 20}@`, summary: null })
    }
    await said.open(late)
    await isRight()
    await said.seal()
    expect([await said.segments(), await said.notKnown()]).toEqual([2, [tail, 0]])
    await isRight()
    expect(await said.wrongIn([{ words: ['late', 'user5@'] }])).toEqual([])
  })

  describe('are right after a process died at any moment', () => {
    test('while it built a new one', async () => {
      const whole = dying(Number.POSITIVE_INFINITY)
      await said.sealing(whole.over).sealNew()
      expect(whole.moments).toEqual(expect.arrayContaining(['before casePages.insertMany', 'after caseSegments.insertOne', 'after cases.bulkWrite']))
      for (let at = 1; at <= whole.moments.length; at += 1) {
        await said.reset()
        await expect(said.sealing(dying(at).over).sealNew()).rejects.toThrow(Died)
        expect([at, await said.wrongIn(queries, said.another())]).toEqual([at, []])
        await said.change({ summary: 'zebra' }, at, 200 + at)
        expect([at, await said.wrongIn(queries, said.another())]).toEqual([at, []])
        await said.seal()
        const [fresh] = await said.notKnown()
        expect([at, await said.segments(), fresh]).toEqual([at, 1, tail])
        expect([at, await said.collections.casePages.distinct('segment')]).toEqual([at, [1]])
        expect([at, await said.wrongIn(queries)]).toEqual([at, []])
      }
    })

    test('while it built one again', async () => {
      await said.seal()
      await said.change({ summary: 'zebra' }, ...many)
      const whole = dying(Number.POSITIVE_INFINITY)
      await said.sealing(whole.over).sealChanged()
      expect(whole.moments).toEqual(expect.arrayContaining(['after cases.bulkWrite', 'before casePages.deleteMany', 'after caseSegments.deleteMany']))
      for (let at = 1; at <= whole.moments.length; at += 1) {
        await said.change({ summary: `zebra ${at}` }, ...many)
        await expect(said.sealing(dying(at).over).sealChanged()).rejects.toThrow(Died)
        expect([at, await said.wrongIn(queries, said.another())]).toEqual([at, []])
        await said.change({ summary: `nothing ${at}` }, at, 200 + at)
        expect([at, await said.wrongIn(queries, said.another())]).toEqual([at, []])
        await said.seal()
        expect([at, await said.segments(), (await said.notKnown())[1] <= 2]).toEqual([at, 1, true])
        expect([at, await said.collections.casePages.distinct('segment')]).toHaveLength(2)
        expect([at, await said.wrongIn(queries)]).toEqual([at, []])
      }
    })
  })

  describe('hide nothing that changes while they are built', () => {
    const moments = async (work: (over: Partial<Collections>) => Promise<unknown>): Promise<number> => {
      let seen = 0
      await work(
        around(() => {
          seen += 1
        }, [...writing, ...reading]),
      )
      return seen
    }
    const changingAt = (at: number, summary: string) => {
      let seen = 0
      return around(async () => {
        seen += 1
        if (seen === at) await said.change({ summary }, 1, 201, 299, 305)
      }, [...writing, ...reading])
    }

    test('a new one', async () => {
      const all = await moments((over) => said.sealing(over).sealNew())
      expect(all).toBeGreaterThan(15)
      for (let at = 1; at <= all; at += 1) {
        await said.reset()
        expect(await said.sealing(changingAt(at, `zebra ${at}`)).sealNew()).toBe(true)
        expect([at, await said.wrongIn([{ words: ['zebra', String(at)] }, { words: ['O-310'] }], said.another())]).toEqual([at, []])
      }
    })

    test('one that is built again, also by what they said before', async () => {
      await said.seal()
      await said.change({ summary: 'zebra' }, ...many)
      const all = await moments((over) => said.sealing(over).sealChanged())
      for (let at = 2; at <= all; at += 1) {
        await said.change({ summary: `zebra before ${at}` }, ...many, 1, 201, 299)
        expect(await said.sealing(changingAt(at, `okapi ${at}`)).sealChanged()).toBe(true)
        const wanted = [{ words: ['okapi', String(at)] }, { words: ['before', 'user5@'] }]
        expect([at, await said.wrongIn(wanted, said.another())]).toEqual([at, []])
        // Back to what the segment before knew of them.
        await said.change({ summary: `zebra before ${at}` }, 1, 201, 299)
        expect([at, await said.wrongIn(wanted, said.another())]).toEqual([at, []])
      }
    })
  })

  test('of two processes that build one, one adds it, at any moment', async () => {
    for (const [at, what] of [
      'before casePages.insertMany',
      'before caseSegments.insertOne',
      'after caseSegments.insertOne',
      'after cases.bulkWrite',
      'before caseSegments.updateOne',
    ].entries()) {
      await said.reset()
      let other: boolean | null = null
      const over = around(async (now, when) => {
        if (`${when} ${now}` !== what || other !== null) return
        other = false
        other = await said.sealing().sealNew()
      })
      const one = await said.sealing(over).sealNew()
      expect([what, one, other]).toEqual([what, at > 1, at <= 1])
      expect([what, await said.segments(), await said.notKnown()]).toEqual([what, 1, [tail, 0]])
      expect(await said.collections.casePages.distinct('segment')).toEqual([1])
      await isRight()
    }
  })

  test('a process that was slow to tell cases that they are known tells nothing wrong', async () => {
    let told = false
    const over = around(async (now, when) => {
      if (`${when} ${now}` !== 'before cases.bulkWrite' || told) return
      told = true
      // Another process completes the segment, its cases change, and it is built again.
      await said.sealing().sealNew()
      await said.change({ summary: 'okapi' }, ...many)
      await said.sealing().sealChanged()
      await said.change({ summary: 'zebra' }, 0, 5, 7)
    })
    await said.sealing(over).sealNew()
    expect((await said.notKnown())[1]).toBe(3)
    expect(
      await said.wrongIn([{ words: ['okapi', 'user5@'] }, { words: ['zebra'] }, { words: ['nothing', 'O-1'], createdTo: 1_795_000_000_400 }]),
    ).toEqual([])
  })

  test('that is added or replaced between any two reads of a search hides no case', async () => {
    const wanted = { words: ['zebra'] }
    for (const kind of ['new', 'again'] as const)
      for (let [at, reads] = [1, 2]; at <= reads; at += 1) {
        await said.reset()
        if (kind === 'again') await said.seal()
        await said.change({ summary: `zebra ${at}` }, ...many)
        let seen = 0
        let due = false
        const over = around(async () => {
          seen += 1
          if (!due || seen !== at) return
          due = false
          expect(await (kind === 'new' ? said.sealing().sealNew() : said.sealing().sealChanged())).toBe(true)
        }, [...reading])
        const store = said.another(over)
        // It has read the segments that there are.
        expect(await said.wrongIn([{ words: ['nowhere'] }], store)).toEqual([])
        ;[due, seen] = [true, 0]
        const found = await said.everyPage(wanted, '-created_at', 3_000, store)
        reads = Math.min(seen, 14)
        expect([kind, at, found.sort()]).toEqual([kind, at, said.expected(wanted)])
      }
  })

  test('of which a page was lost are searched again, and then without them', async () => {
    await said.seal()
    await said.collections.casePages.deleteMany({})
    expect(await said.wrongIn([{ words: ['rare'] }], said.another())).toEqual([])
    expect(await said.everyPage({ words: ['rare'] }, '-modified_at')).toContain(uuidOf(5))
  })
})
