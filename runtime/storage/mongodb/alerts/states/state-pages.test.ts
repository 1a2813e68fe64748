import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock, systemIds } from '../../../../config/seams.ts'
import { type AlertUuid, asId, type NewAlert, type OrganizationId, type PrincipalId, systemScope } from '../../../../domain/index.ts'
import type { AlertConditions, AlertPosition, AlertStore } from '../../../port/index.ts'
import { assemble } from '../../assemble.ts'
import { type Connected, connect } from '../../client/connect.ts'
import { type Collections, collectionsOf } from '../../database/collections.ts'
import { migrate } from '../../database/indexes.ts'
import { WorkReport } from '../../database/work-report.ts'
import { rebuildWords } from '../../recovery/index.ts'
import { Sealing } from '../sealing.ts'
import { StateWriter } from './state-writer.ts'

const url = process.env['MONGODB_URL']
// These tests need a MongoDB replica set. Without MONGODB_URL they are skipped.
if (!url) console.log('skipped: pages of states in MongoDB (MONGODB_URL is not set)')

/** More than one segment, and a few alerts in blocks. */
const count = 4_700

interface Standing {
  readonly status: 0 | 5 | 10 | 15 | 20
  readonly playbook: string | null
}

function alertAt(n: number): NewAlert {
  const tokens = ['all', n % 2 ? 'odd' : 'even']
  return {
    uuid: asId<AlertUuid>(systemIds.uuid()),
    organization: asId<OrganizationId>('o'),
    organizationCode: 'O',
    provider: n % 1_000 === 3 ? 'Rare' : 'edr',
    numberedAs: 'O-EDR',
    type: n % 100 === 9 ? null : n % 500 === 4 ? 'seldom' : 'phishing',
    content: tokens.join(' '),
    name: 'x',
    tokens,
    createdAt: 1_000_000 + Math.floor(n / 4),
    createdAtSource: null,
    createdBy: asId<PrincipalId>('p'),
    idempotency: null,
  }
}

/** How the alerts are before each test. */
function standingAt(n: number): Standing {
  if (n % 100 === 9) return { status: 0, playbook: null }
  if (n % 100 === 17) return { status: 10, playbook: 'slow' }
  return { status: n % 100 === 6 ? 20 : 15, playbook: n % 200 === 10 ? 'seldom' : 'usual' }
}

const alerts = Array.from({ length: count }, (_, n) => alertAt(n))

/** A few hundred alerts, on both sides of the end of the segment. */
const around = { createdFrom: 1_000_950, createdTo: 1_001_100 }

const conditions: Readonly<Record<string, AlertConditions>> = {
  'a status that few have': { statuses: [20] },
  'a status that most have': { statuses: [15], ...around },
  'a status before the end': { statuses: [10] },
  'statuses before a run': { statuses: [0, 5] },
  'ended alerts': { finished: true },
  'open alerts': { finished: false },
  'a playbook that few have': { playbooks: ['seldom'] },
  'a playbook that none has': { playbooks: ['nobody'] },
  'a playbook of open alerts': { playbooks: ['slow'] },
  'a status and a playbook': { statuses: [15, 20], playbooks: ['seldom', 'nobody'] },
  'a word and a status': { words: ['even'], statuses: [20] },
  'a word and a status that never meet': { words: ['odd'], statuses: [20] },
  'a word and a playbook': { words: ['all'], playbooks: ['seldom'] },
  'a word, ended': { words: ['odd'], finished: true, ...around },
  'a word and a status before the end': { words: ['odd'], statuses: [10] },
  'a type that few have': { types: ['seldom'] },
  'a provider that few have': { providers: ['rare'] },
  'a provider and a status': { providers: ['rare'], statuses: [15] },
}

/** These find many alerts, so they take long. */
const common = ['a status that most have', 'ended alerts', 'a word, ended', 'a provider and a status']

const silent = new WorkReport(() => {}, { fails: '', succeeds: '' })

describe.skipIf(!url)('the states of alerts in MongoDB', () => {
  let opened: Connected
  let collections: Collections
  let store: AlertStore
  let standing: Standing[] = alerts.map((_, n) => standingAt(n))
  /** Alerts that a test changed, and at first all of them. */
  const touched = new Set(alerts.keys())

  const writer = (over: Partial<Collections> = {}): StateWriter => new StateWriter({ ...collections, ...over }, systemIds)
  async function writeAll(): Promise<void> {
    while (await writer().write());
  }
  /** A collection that calls `instead` at one method. */
  function intercepted<K extends keyof Collections>(name: K, method: string, before: () => Promise<void> | void): Pick<Collections, K> {
    const proxy = new Proxy(collections[name] as object, {
      get(target, property) {
        const value = Reflect.get(target, property, target)
        if (property === method)
          return async (...parameters: unknown[]) => {
            await before()
            return Reflect.apply(value, target, parameters)
          }
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    return { [name]: proxy } as unknown as Pick<Collections, K>
  }
  const dies = (): never => {
    throw new Error('died')
  }

  function matches(
    n: number,
    { words = [], statuses, finished, playbooks, types, providers, createdFrom = 0, createdTo = Number.MAX_SAFE_INTEGER }: AlertConditions,
  ): boolean {
    const { tokens, type, provider, createdAt } = alerts[n]!
    const { status, playbook } = standing[n]!
    return (
      words.every((word) => tokens.includes(word)) &&
      (!statuses || statuses.includes(status)) &&
      (finished === undefined || (finished ? status >= 15 : status < 15 && type !== null)) &&
      (!playbooks || (playbook !== null && playbooks.includes(playbook))) &&
      (!types || (type !== null && types.includes(type))) &&
      (!providers || providers.includes(provider.toLowerCase())) &&
      createdAt >= createdFrom &&
      createdAt < createdTo
    )
  }
  const expected = (query: AlertConditions): string[] =>
    [...alerts.keys()]
      .filter((n) => matches(n, query))
      .map((n) => alerts[n]!)
      .sort((a, b) => a.createdAt - b.createdAt || (a.uuid < b.uuid ? -1 : 1))
      .map(({ uuid }) => uuid)

  async function everyPage(query: AlertConditions, sort: 'created_at' | '-created_at', from = store): Promise<string[]> {
    const found: string[] = []
    let after: AlertPosition | null = null
    for (let more = true; more; ) {
      const page = await from.list(systemScope, { ...query, sort, after, limit: 1_999, preview: 0 })
      found.push(...page.items.map(({ uuid }) => uuid))
      const last = page.items.at(-1)
      if (last) after = { createdAt: last.createdAt, uuid: last.uuid }
      more = page.more
    }
    return found
  }
  async function allAreFound(which: 'all' | 'rare' = 'rare'): Promise<void> {
    for (const [name, query] of Object.entries(conditions)) {
      if (which === 'rare' && common.includes(name)) continue
      const wanted = expected(query)
      expect([name, await everyPage(query, 'created_at')]).toEqual([name, wanted])
      expect([name, await everyPage(query, '-created_at')]).toEqual([name, wanted.toReversed()])
      const tally = await store.tally(systemScope, query, null, count + 1)
      expect([name, tally]).toEqual([name, { matching: wanted.length, next: null }])
    }
  }

  /** Retries ended alerts as every version does: in one write of the alert. */
  async function retry(...which: readonly number[]): Promise<void> {
    for (const n of which) {
      await store.retry(systemScope, alerts[n]!.uuid, 5)
      standing[n] = { ...standing[n]!, status: 5 }
      touched.add(n)
    }
  }
  /** Ends alerts that are open, as a run does. */
  async function end(status: 15 | 20, playbook: string, ...which: readonly number[]): Promise<void> {
    const ids = which.map((n) => alerts[n]!.uuid)
    await collections.alerts.updateMany({ _id: { $in: ids }, status: { $lt: 15 } }, { $set: { status, investigator: playbook } })
    for (const n of which) {
      standing[n] = { status, playbook }
      touched.add(n)
    }
  }
  const noted = (): Promise<number> =>
    collections.alerts.countDocuments({ retryCount: { $gt: 0 }, $expr: { $ne: ['$retryCount', { $ifNull: ['$paged', 0] }] } })
  const openByPage = async () => (await collections.alertStates.find().toArray()).map(({ open }) => open)

  beforeAll(async () => {
    opened = await connect(url ?? '', `states-${randomUUID()}`)
    await migrate(opened.database, systemClock)
    collections = collectionsOf(opened.database)
    store = assemble(collections, systemClock, systemIds).aggregates.alerts
    for (let from = 0; from < count; from += 400) await store.insert(systemScope, alerts.slice(from, from + 400))
    const sealing = new Sealing(collections, systemClock, systemIds, silent)
    while (await sealing.seal((blocks) => blocks));
    expect(await collections.alertSegments.countDocuments()).toBe(1)
  })
  afterAll(async () => {
    await opened.database.dropDatabase()
    await opened.client.close()
  })
  beforeEach(async () => {
    standing = alerts.map((_, n) => standingAt(n))
    await collections.alertStates.deleteMany({})
    const each = [...touched].map((n) => {
      const { uuid } = alerts[n]!
      const { status, playbook } = standing[n]!
      const $set = { status, investigator: playbook, retryCount: 0 } as const
      return { updateOne: { filter: { _id: uuid }, update: { $set, $unset: { paged: '', waitingSince: '' } } } } as const
    })
    if (each.length > 0) await collections.alerts.bulkWrite(each, { ordered: false })
    touched.clear()
  })

  test('are found without a page, with one, and after alerts have changed', async () => {
    await allAreFound('all')
    expect(await writer().write()).toBe(true)
    expect(await writer().write()).toBe(false)
    expect(await openByPage()).toEqual([41])
    await allAreFound('all')
    await end(20, 'seldom', 17, 3_917)
    await retry(6, 3_906, 4_006, 4_206)
    await allAreFound('all')
    await end(15, 'usual', 6, 4_006)
    await end(20, 'nobody', 3_906)
    await allAreFound('all')
    expect(await noted()).toBe(4)
  })

  test('are found after the page was written again, and after a second and a tenth retry', async () => {
    await writeAll()
    const failed = [...alerts.keys()].filter((n) => n % 100 === 6)
    for (let attempt = 2; attempt <= 11; attempt += 1) {
      await retry(...failed.slice(0, 2))
      await end(attempt % 2 ? 20 : 15, `attempt${attempt}`, ...failed.slice(0, 2))
      expect(await everyPage({ playbooks: [`attempt${attempt}`] }, 'created_at')).toHaveLength(2)
      // As if many others had been retried: the page is due.
      await collections.alertStates.deleteMany({})
      await writeAll()
      expect(await noted()).toBe(0)
      expect(await everyPage({ playbooks: [`attempt${attempt}`] }, 'created_at')).toHaveLength(2)
    }
    await allAreFound()
  })

  test('a word and a status that never meet take no look at an alert of a segment', async () => {
    await writeAll()
    const looks: unknown[] = []
    const alertsSeen = new Proxy(collections.alerts, {
      get(target, property) {
        const value = Reflect.get(target, property, target)
        if (property !== 'find') return typeof value === 'function' ? value.bind(target) : value
        return (...parameters: Parameters<typeof target.find>) => {
          const text = JSON.stringify(parameters[0])
          if (text.includes('"_id":{"$in"')) looks.push(text)
          return target.find(...parameters)
        }
      },
    })
    const others = assemble({ ...collections, alerts: alertsSeen } as Collections, systemClock, systemIds).aggregates.alerts
    expect(await everyPage({ words: ['even'], statuses: [20] }, 'created_at', others)).not.toEqual([])
    expect(looks.length).toBeGreaterThan(0)
    looks.length = 0
    await end(15, 'usual', ...[...alerts.keys()].filter((n) => n % 100 === 17))
    await collections.alertStates.deleteMany({})
    await writeAll()
    expect(await everyPage({ words: ['odd'], statuses: [20] }, 'created_at', others)).toEqual([])
    expect(await everyPage({ words: ['odd'], playbooks: ['seldom'] }, 'created_at', others)).toEqual([])
    expect(looks).toEqual([])
  })

  test('many retried alerts, and many that end late, get their page written again', async () => {
    await writeAll()
    const ended = [...alerts.keys()].filter((n) => standing[n]!.status === 15 && n < 1_200)
    await collections.alerts.updateMany({ _id: { $in: ended.map((n) => alerts[n]!.uuid) } }, { $set: { status: 5 }, $inc: { retryCount: 1 } })
    for (const n of ended) {
      standing[n] = { ...standing[n]!, status: 5 }
      touched.add(n)
    }
    await allAreFound()
    expect(await writer().write()).toBe(true)
    expect(await openByPage()).toEqual([41 + ended.length])
    expect(await noted()).toBe(0)
    await allAreFound()
    expect(await writer().write()).toBe(false)
    await end(15, 'late', ...ended)
    await allAreFound()
    expect(await writer().write()).toBe(true)
    expect(await writer().write()).toBe(false)
    expect(await openByPage()).toEqual([41])
    await allAreFound()
  })

  describe('are found whatever happens while a page is written', () => {
    async function changed(): Promise<void> {
      await writeAll()
      await retry(6, 106)
      await end(15, 'second', 6, 106)
      await collections.alertStates.updateMany({}, { $set: { open: 2_000 } })
    }
    const again = (over: Partial<Collections>) => writer(over).write()

    test('a process died before it wrote the page, the first and a later one', async () => {
      await expect(writer(intercepted('alertStates', 'insertOne', dies)).write()).rejects.toThrow('died')
      await allAreFound()
      await changed()
      await expect(again(intercepted('alertStates', 'updateOne', dies))).rejects.toThrow('died')
      expect(await noted()).toBe(2)
      await allAreFound()
    })
    test('a process died before it noted that the page knows the retries', async () => {
      await changed()
      await expect(again(intercepted('alerts', 'updateMany', dies))).rejects.toThrow('died')
      expect([await noted(), await openByPage()]).toEqual([2, [41]])
      await allAreFound()
      await retry(6)
      await allAreFound()
    })
    test('an alert was retried between reading the states and writing the page, or before the note', async () => {
      await changed()
      expect(await again(intercepted('alertStates', 'updateOne', () => retry(6)))).toBe(true)
      await end(20, 'third', 6)
      expect(await noted()).toBe(1)
      await allAreFound()
      await changed()
      expect(await again(intercepted('alerts', 'updateMany', () => retry(106)))).toBe(true)
      await end(20, 'fourth', 106)
      expect(await noted()).toBeGreaterThan(0)
      await allAreFound()
    })
    test('another process wrote it meanwhile: the page that was read earlier is not written', async () => {
      await changed()
      const meanwhile = async (): Promise<void> => {
        await retry(6, 206)
        await end(20, 'between', 6, 206)
        expect(await again({})).toBe(true)
      }
      expect(await again(intercepted('alertStates', 'updateOne', meanwhile))).toBe(false)
      expect([await noted(), await openByPage()]).toEqual([0, [41]])
      await allAreFound()
      await collections.alertStates.deleteMany({})
      expect(await writer(intercepted('alertStates', 'insertOne', writeAll)).write()).toBe(false)
      await allAreFound()
    })
  })

  test('a page that is written between any two reads of a search hides no alert', async () => {
    await writeAll()
    const wanted: AlertConditions = { words: ['even'], playbooks: ['second'] }
    const names = ['alerts', 'alertWords', 'alertSegments', 'alertPages', 'alertStates'] as const
    for (let at = 1, reads = at; at <= reads; at += 1) {
      const n = 6 + 100 * at
      await retry(n)
      await end(15, 'second', n)
      // Its searches have read the page that does not know it yet.
      reads = 0
      let due = false
      const rewritten = Object.fromEntries(
        names.map((name) => [
          name,
          new Proxy(collections[name] as object, {
            get(target, property) {
              const value = Reflect.get(target, property, target)
              if (property !== 'find') return typeof value === 'function' ? value.bind(target) : value
              return (...parameters: unknown[]) => {
                reads += 1
                const cursor: { toArray: () => Promise<unknown> } = Reflect.apply(value, target, parameters)
                if (!due || reads !== at) return cursor
                const { toArray } = cursor
                cursor.toArray = async () => {
                  await collections.alertStates.updateMany({}, { $set: { open: 2_000 } })
                  expect(await writer().write()).toBe(true)
                  return toArray.call(cursor)
                }
                return cursor
              }
            },
          }),
        ]),
      )
      const others = assemble({ ...collections, ...rewritten } as Collections, systemClock, systemIds).aggregates.alerts
      await everyPage(wanted, 'created_at', others)
      ;[due, reads] = [true, 0]
      expect([at, await everyPage(wanted, 'created_at', others)]).toEqual([at, expected(wanted)])
      expect(await noted()).toBe(0)
    }
  })

  test('are found after the index was built again, as after a restored dump', async () => {
    await writeAll()
    await retry(6)
    await end(15, 'usual', 6)
    await rebuildWords(collections, systemIds)
    expect(await openByPage()).toEqual([])
    store = assemble(collections, systemClock, systemIds).aggregates.alerts
    await allAreFound()
    const sealing = new Sealing(collections, systemClock, systemIds, silent)
    while (await sealing.seal((blocks) => blocks));
    await writeAll()
    await retry(106)
    await allAreFound()
  })
})
