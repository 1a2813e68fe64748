import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../../test/support/clocks/manual-clock.ts'
import { systemClock, systemIds } from '../../../config/seams.ts'
import { type AlertUuid, asId, foldCode, type NewAlert, type OrganizationId, type PrincipalId, systemScope } from '../../../domain/index.ts'
import type { AlertConditions, AlertPosition, AlertStore } from '../../port/index.ts'
import { assemble } from '../assemble.ts'
import { type Connected, connect } from '../client/connect.ts'
import { type Collections, collectionsOf } from '../database/collections.ts'
import { migrate } from '../database/indexes.ts'
import { WorkReport } from '../database/work-report.ts'
import { Sealing } from './sealing.ts'

const url = process.env['MONGODB_URL']
// These tests need a MongoDB replica set. Without MONGODB_URL they are skipped.
if (!url) console.log('skipped: segments of words in MongoDB (MONGODB_URL is not set)')

/** Smaller than Tocsin builds them. */
const segment = 512
/** More than two segments. */
const count = 2 * segment + 100

function alertAt(n: number): NewAlert {
  const tokens = ['all', n % 2 ? 'odd' : 'even', `n${String(n).padStart(6, '0')}`, ...(n % 400 === 5 ? ['rare', 'größe'] : [])]
  return {
    uuid: asId<AlertUuid>(systemIds.uuid()),
    organization: asId<OrganizationId>(n % 100 ? 'large' : 'small'),
    organizationCode: 'O',
    provider: n % 3 ? 'EDR' : 'mail',
    numberedAs: 'O-EDR',
    type: n % 5 ? 'phishing' : null,
    content: tokens.join(' '),
    name: 'x',
    tokens,
    createdAt: 1_000_000 + Math.floor(n / 4) - (n % 50 === 7 ? 300 : 0),
    createdAtSource: null,
    createdBy: asId<PrincipalId>('p'),
    idempotency: null,
  }
}

const alerts = Array.from({ length: count }, (_, n) => alertAt(n))

const conditions: Readonly<Record<string, AlertConditions>> = {
  'a word of all': { words: ['all'] },
  'the beginning of many words': { words: ['n0007'] },
  'two words that never meet': { words: ['odd', 'even'] },
  'many words, two of which never meet': { words: ['a', 'al', 'all', 'n', 'n0', 'odd', 'n00', 'even'] },
  'many words that meet in one segment only': { words: ['a', 'all', 'n', 'n0', 'odd', 'n000', 'n0007'] },
  'two words that seldom meet': { words: ['rare', 'odd'] },
  'a rare word': { words: ['größ'] },
  'whole words': { words: ['od'], contains: { text: 'ALL odd', words: ['all', 'odd'] } },
  'words of an organization': { words: ['all'], organizations: [asId<OrganizationId>('small')] },
  'words and a provider': { words: ['odd'], providers: ['mail'] },
  'words, a type and a status that none has': { words: ['even'], types: ['phishing'], statuses: [20] },
  'words of open alerts': { words: ['rare'], finished: false },
  'words in a time range': { words: ['even'], createdFrom: 1_000_100, createdTo: 1_000_150 },
}

function matches(
  { tokens, organization, provider, type, content, createdAt }: NewAlert,
  {
    words = [],
    contains,
    organizations,
    providers,
    types,
    statuses,
    finished,
    createdFrom = 0,
    createdTo = Number.MAX_SAFE_INTEGER,
  }: AlertConditions,
): boolean {
  return (
    words.every((word) => tokens.some((token) => token.startsWith(word))) &&
    (!contains || (contains.words.every((word) => tokens.includes(word)) && content.includes(contains.text.toLowerCase()))) &&
    (!organizations || organizations.includes(organization)) &&
    (!providers || providers.includes(foldCode(provider))) &&
    (!types || (type !== null && types.includes(type))) &&
    (!statuses || statuses.includes(0)) &&
    (finished === undefined || (!finished && type !== null)) &&
    createdAt >= createdFrom &&
    createdAt < createdTo
  )
}

const silent = new WorkReport(() => {}, { fails: '', succeeds: '' })

describe.skipIf(!url)('the words of alerts in MongoDB', () => {
  let opened: Connected
  let collections: Collections
  let store: AlertStore

  const everything = (blocks: readonly string[]): readonly string[] => blocks
  const sealingOf = (over: Partial<Collections> = {}): Sealing => new Sealing({ ...collections, ...over }, systemClock, systemIds, silent, segment)
  /** A collection that fails at one method, as if the process died there. */
  const dyingAt = <K extends keyof Collections>(name: K, method: string): Pick<Collections, K> => {
    const proxy = new Proxy(collections[name], {
      get(target, property) {
        if (property === method)
          return () => {
            throw new Error('died')
          }
        const value = Reflect.get(target, property, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    return { [name]: proxy } as unknown as Pick<Collections, K>
  }

  async function everyPage(query: AlertConditions, sort: 'created_at' | '-created_at'): Promise<string[]> {
    const found: string[] = []
    let after: AlertPosition | null = null
    for (let more = true; more; ) {
      const page = await store.list(systemScope, { ...query, sort, after, limit: 333, preview: 0 })
      found.push(...page.items.map(({ uuid }) => uuid))
      const last = page.items.at(-1)
      if (last) after = { createdAt: last.createdAt, uuid: last.uuid }
      more = page.more
    }
    return found
  }

  async function counted(query: AlertConditions): Promise<number> {
    let [matching, after]: [number, AlertPosition | null] = [0, null]
    do {
      const part = await store.tally(systemScope, query, after, 300)
      matching += part.matching
      after = part.next
    } while (after)
    return matching
  }

  async function allAreFound(): Promise<void> {
    for (const [name, query] of Object.entries(conditions)) {
      const expected = alerts
        .filter((alert) => matches(alert, query))
        .sort((a, b) => a.createdAt - b.createdAt || (a.uuid < b.uuid ? -1 : 1))
        .map(({ uuid }) => uuid)
      expect([name, await everyPage(query, 'created_at')]).toEqual([name, expected])
      expect([name, await everyPage(query, '-created_at')]).toEqual([name, expected.toReversed()])
      expect([name, await counted(query)]).toEqual([name, expected.length])
    }
  }

  const state = async () => ({
    segments: await collections.alertSegments.countDocuments(),
    blocks: await collections.alertWords.countDocuments(),
    builds: (await collections.alertPages.find({}, { projection: { _id: 1 } }).toArray()).reduce(
      (all, { _id }) => all.add(_id.slice(0, 36)),
      new Set(),
    ).size,
  })

  beforeAll(async () => {
    opened = await connect(url ?? '', `sealing-${randomUUID()}`)
    await migrate(opened.database, systemClock)
    collections = collectionsOf(opened.database)
    store = assemble(collections, systemClock, systemIds).aggregates.alerts
    for (let from = 0; from < count; from += 400) await store.insert(systemScope, alerts.slice(from, from + 400))
  })
  afterAll(async () => {
    await opened.database.dropDatabase()
    await opened.client.close()
  })

  // Each test continues where the one before it ended.
  test('are found in blocks', async () => {
    expect((await state()).segments).toBe(0)
    await allAreFound()
  })

  test('are found after a process died with the pages of a segment, but not the segment, and with some of its pages', async () => {
    await expect(sealingOf(dyingAt('alertSegments', 'insertOne')).seal(everything)).rejects.toThrow('died')
    await expect(sealingOf(dyingAt('alertSegments', 'insertOne')).seal(everything)).rejects.toThrow('died')
    expect(await state()).toMatchObject({ segments: 0, builds: 2 })
    await allAreFound()
  })

  test('are found, each once, after a process died before it deleted the blocks of a segment', async () => {
    const { blocks } = await state()
    await expect(sealingOf(dyingAt('alertWords', 'deleteMany')).seal(everything)).rejects.toThrow('died')
    expect(await state()).toMatchObject({ segments: 1, blocks })
    await allAreFound()
  })

  test('are in one segment only if two processes build it at once; what dead processes left is deleted', async () => {
    const added = await Promise.all([sealingOf().seal(everything), sealingOf().seal(everything)])
    expect(added).toContain(true)
    while (await sealingOf().seal(everything));
    const documents = await collections.alertSegments.find().sort({ _id: 1 }).toArray()
    expect(documents.length).toBe(2)
    const blocks = documents.flatMap((document) => document.blocks)
    expect(new Set(blocks).size).toBe(blocks.length)
    expect(documents.map(({ cleaned }) => cleaned)).toEqual([true, true])
    expect((await state()).builds).toBe(2)
    expect(documents.reduce((sum, { head }) => sum + head.size, 0)).toBeGreaterThan(2 * segment - 128)
    await allAreFound()
  })

  test('are found by another process', async () => {
    const others = assemble(collections, systemClock, systemIds).aggregates.alerts
    const page = await others.list(systemScope, { words: ['rare'], sort: 'created_at', after: null, limit: 10, preview: 0 })
    expect(page.items).toHaveLength(3)
  })

  test('wait in their blocks until the process has seen these for fifteen seconds', async () => {
    const more = Array.from({ length: segment + 100 }, (_, n) => ({ ...alertAt(n), tokens: ['later'] }))
    for (let from = 0; from < more.length; from += 400) await store.insert(systemScope, more.slice(from, from + 400))
    const clock = new ManualClock()
    const sealing = new Sealing(collections, clock, systemIds, silent, segment)
    const { segments } = await state()
    for (const [passed, added] of [
      [0, 0],
      [5_000, 0],
      [9_000, 0],
      [10_000, 1],
    ] as const) {
      clock.leap(passed)
      sealing.start()
      await sealing.idle()
      expect([passed, (await state()).segments]).toEqual([passed, segments + added])
    }
    expect(await counted({ words: ['later'] })).toBe(more.length)
  })

  test('are found although their insert ended after their block had become a segment', async () => {
    const slow = new ManualClock()
    const late: Partial<Collections> = {
      alerts: new Proxy(collections.alerts, {
        get(target, property) {
          const value = Reflect.get(target, property, target)
          if (property !== 'insertMany') return typeof value === 'function' ? value.bind(target) : value
          return async (...parameters: Parameters<typeof target.insertMany>) => {
            // The block becomes part of a segment, or at least is gone, before the alert is there.
            await collections.alertWords.deleteMany({ words: 'latest' })
            slow.leap(6_000)
            return target.insertMany(...parameters)
          }
        },
      }),
    }
    const others = assemble({ ...collections, ...late } as Collections, slow, systemIds).aggregates.alerts
    const alert = { ...alertAt(0), tokens: ['latest'] }
    await others.insert(systemScope, [alert])
    expect(await everyPage({ words: ['latest'] }, 'created_at')).toEqual([alert.uuid])
  })
})
