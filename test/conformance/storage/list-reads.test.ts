import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock, systemIds } from '../../../runtime/config/seams.ts'
import { asId, type OrganizationId } from '../../../runtime/domain/index.ts'
import { openTables } from '../../../runtime/storage/embedded/assemble.ts'
import { migrate } from '../../../runtime/storage/embedded/database/schema.ts'
import { Sql } from '../../../runtime/storage/embedded/database/sql.ts'
import type { Store } from '../../../runtime/storage/index.ts'
import { assemble } from '../../../runtime/storage/mongodb/assemble.ts'
import { type Connected, connect } from '../../../runtime/storage/mongodb/client/connect.ts'
import { type Collections, collectionsOf } from '../../../runtime/storage/mongodb/database/collections.ts'
import { migrate as migrateMongo } from '../../../runtime/storage/mongodb/database/indexes.ts'
import { everyone, investigated, newTenant } from './fixtures.ts'

/** Collections that grow with what runs read and write. No list may read them. */
const large = ['journal', 'outputs', 'outputParts', 'timeline']

type Lists = Pick<Store, 'alerts' | 'runs' | 'cases' | 'decisions' | 'deliveries' | 'journal' | 'statistics'>
const page = { after: null, limit: 100 } as const
const lists: Readonly<Record<string, (store: Lists) => unknown>> = {
  alerts: ({ alerts }) => alerts.list(everyone, { ...page, sort: '-created_at', preview: 200 }),
  runs: ({ runs }) => runs.list(everyone, page),
  cases: ({ cases }) => cases.list(everyone, page),
  'cases that need attention': ({ cases }) => cases.list(everyone, { ...page, attention: true }),
  'failed runs': ({ runs }) => runs.list(everyone, { ...page, states: ['failed'] }),
  decisions: ({ decisions }) => decisions.list(everyone, page),
  'decisions by deadline': ({ decisions }) => decisions.byDeadline(everyone, page),
}

describe('embedded: seen in the prepared statements', () => {
  const statements: string[] = []
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const prepare = database.prepare.bind(database)
  database.prepare = (sql: string) => {
    statements.push(sql)
    return prepare(sql)
  }
  const tables = openTables(new Sql(database)) as unknown as Lists
  const touched = (): string[] => {
    const all = statements.splice(0).join('\n')
    return ['journal', 'outputs', 'timeline'].filter((name) => new RegExp(`\\b${name}\\b`).test(all))
  }

  test('a read shows in the statements, so the other tests can fail', () => {
    touched()
    tables.journal.read(everyone, 'r' as never)
    expect(touched()).toContain('journal')
  })
  test.each(Object.entries(lists))('a list of %s reads no output, no journal and no timeline (complaint 7)', (_, list) => {
    touched()
    list(tables)
    expect(touched()).toEqual([])
  })

  const [time, id] = [1_795_462_288_343, 'x' as never]
  const ordered: Readonly<Record<string, (store: Lists) => unknown>> = {
    'cases by change': ({ cases }) => cases.list(everyone, { ...page, sort: '-modified_at' }),
    'cases by severity': ({ cases }) => cases.list(everyone, { ...page, sort: '-severity' }),
    'cases of one severity': ({ cases }) => cases.list(everyone, { ...page, severities: ['critical'] }),
    'closed cases': ({ cases }) => cases.list(everyone, { ...page, statuses: ['closed'] }),
    'runs of one type': ({ runs }) => runs.list(everyone, { ...page, types: ['t'] }),
  }
  const planOf = (list: (store: Lists) => unknown): string[] => {
    statements.splice(0)
    list(openTables(new Sql(database)) as unknown as Lists)
    const statement = statements.findLast((sql) => sql.includes('ORDER BY')) ?? ''
    const plan = prepare(`EXPLAIN QUERY PLAN ${statement}`).all(...Array.from({ length: new Set(statement.match(/\?\d+/g)).size }, () => null))
    return plan.map(({ detail }) => String(detail))
  }
  test.each(Object.entries(ordered))('a list of %s is read by its index, without a sort', (_, list) => {
    const plan = planOf(list)
    expect(plan).toContainEqual(expect.stringMatching(/INDEX (cases_modified|cases_severity \(severity=\?|cases_closed|runs_type \(type=\?)/))
    expect(plan).not.toContainEqual(expect.stringContaining('TEMP B-TREE'))
  })

  const two = [asId<OrganizationId>('a'), asId<OrganizationId>('b')]
  const ofTwo = { organizations: two } as const
  const byOrganization: Readonly<Record<string, (store: Lists) => unknown>> = {
    'alerts of organizations': ({ alerts }) => alerts.list(everyone, { ...page, ...ofTwo, sort: '-created_at', preview: 200 }),
    'alerts for a principal of organizations': ({ alerts }) => alerts.list(ofTwo, { ...page, sort: 'created_at', preview: 200 }),
    'alerts of organizations until a time': ({ alerts }) => alerts.list(ofTwo, { ...page, sort: '-created_at', preview: 200, createdTo: 5 }),
    statistics: ({ statistics }) => statistics.alerts(everyone, { ...ofTwo, from: 0, to: 9, after: null, examine: 100 }),
    'statistics for a principal of organizations': ({ statistics }) => statistics.alerts(ofTwo, { from: 0, to: 9, after: null, examine: 100 }),
    'counts of alerts': ({ alerts }) => alerts.tally(everyone, ofTwo, null, 100),
    'counts of alerts of a playbook': ({ alerts }) => alerts.tally(ofTwo, { playbooks: ['p'] }, { createdAt: 5, uuid: 'u' as never }, 100),
  }
  test.each(Object.entries(byOrganization))('%s read each organization by its index, in order, without a sort', (_, list) => {
    const plan = planOf(list)
    expect(plan.filter((detail) => /INDEX alerts_organization \(organization=\? AND created_at[<>]/.test(detail))).toHaveLength(2)
    expect(plan).toContainEqual(expect.stringContaining('MERGE (UNION ALL)'))
    expect(plan.filter((detail) => /TEMP B-TREE FOR .*ORDER BY/.test(detail))).toEqual([])
  })

  const later: Readonly<Record<string, (store: Lists) => unknown>> = {
    runs: ({ runs }) => runs.list(everyone, { after: { startedAt: time, id }, limit: 100 }),
    decisions: ({ decisions }) => decisions.list(everyone, { after: { askedAt: time, id }, limit: 100 }),
    'decisions by deadline': ({ decisions }) => decisions.byDeadline(everyone, { after: { deadline: time, id }, limit: 100 }),
  }
  test.each(Object.entries(later))('a page in the middle of %s does not read those before it', (_, list) => {
    const plan = planOf(list)
    expect(plan.filter((detail) => /USING (COVERING )?INDEX \w+ \(.*[<>]\(\?,\?\)\)/.test(detail))).toHaveLength(1)
    expect(plan).not.toContainEqual(expect.stringContaining('TEMP B-TREE'))
  })
})

const url = process.env['MONGODB_URL']
// These tests need a MongoDB replica set. Without MONGODB_URL they are skipped.
if (!url) console.log('skipped: what lists read in MongoDB (MONGODB_URL is not set)')

describe.skipIf(!url)('MongoDB: seen in the collections that are queried', () => {
  let opened: Connected
  let store: Lists
  const touched = new Set<string>()

  beforeAll(async () => {
    opened = await connect(url ?? '', `lists-${randomUUID()}`)
    await migrateMongo(opened.database, systemClock)
    const collections = Object.entries(collectionsOf(opened.database)).map(([name, collection]) => [
      name,
      new Proxy(collection, {
        get(target, property) {
          touched.add(name)
          const value = Reflect.get(target, property, target)
          return typeof value === 'function' ? value.bind(target) : value
        },
      }),
    ])
    const { aggregates } = assemble(Object.fromEntries(collections) as Collections, systemClock, systemIds)
    store = aggregates
    await investigated({ ...aggregates, ping: async () => {}, close: async () => {} }, newTenant())
  })
  afterAll(async () => {
    await opened.database.dropDatabase()
    await opened.client.close()
  })

  test('a read shows in the commands, so the other tests can fail', async () => {
    touched.clear()
    const [run] = (await store.runs.list(everyone, page)).items
    await store.journal.read(everyone, run!.id)
    await store.journal.getOutput(everyone, run!.id, 'a')
    expect([...touched]).toEqual(expect.arrayContaining(['journal', 'outputs']))
  })
  /** Many cases and runs whose newest ones pass no filter below, written straight into the collections. */
  const many = 2_000
  const rows = Array.from({ length: many }, (_, n) => ({ n, id: `m${String(n).padStart(9, '0')}`, old: n < 100 }))
  async function fillMany(): Promise<void> {
    const common = { organization: 'many', alerts: [], title: 'x', summary: null }
    await opened.database.collection<{ _id: string }>('cases').insertMany(
      rows.map(({ n, id, old }) => ({
        ...{ ...common, _id: id, number: n, caseId: `MANY-${n}`, alert: [`a${n}`], createdAt: n, modifiedAt: (n * 31) % many },
        ...{ severity: old ? 'high' : 'low', status: old ? 'closed' : 'new', disposition: old ? 'malicious' : 'pending' },
        ...{ assignee: n < 300 ? 'Bob' : n < 600 ? null : 'Ann', ...(old && { desk: { tags: ['vip'], tasks: [], links: [] } }) },
      })),
    )
    await opened.database.collection<{ _id: string }>('runs').insertMany(
      rows.map(({ n, id, old }) => ({
        ...{ _id: id, alert: `a${n}`, organization: 'many', state: 'completed', startedAt: n },
        ...{ type: old ? `old${n % 2}` : 'new', pins: { playbook: { name: old ? 'old' : 'new' } } },
      })),
    )
    await opened.database.collection<{ _id: string }>('decisions').insertMany(
      rows.map(({ n, id, old }) => ({
        ...{ _id: id, organization: 'many', run: `r${n}`, kind: old ? 'in_doubt' : 'approval', state: n % 2 ? 'open' : 'approved', askedAt: n },
        ...{ deadline: n, revision: 1, ...(old && { quota: 'x' }), decision: '{}' },
      })),
    )
    await opened.database
      .collection<{ _id: string }>('deliveries')
      .insertMany(rows.map(({ n, id, old }) => ({ _id: id, webhook: 'w', organization: 'many', state: old ? 'dead' : 'delivered', createdAt: n })))
    await opened.database.collection<{ _id: string }>('alerts').insertMany(
      rows.map(({ n, id }) => ({
        _id: id,
        organization: 'many',
        sequence: n + 1,
        alertId: `MANY-${n}`,
        createdAt: n,
        status: 15,
        providerFolded: 'edr',
      })),
    )
  }
  const rare: Readonly<Record<string, (store: Lists) => Promise<{ readonly items: readonly unknown[] }>>> = {
    'cases with a disposition': ({ cases }) => cases.list(everyone, { ...page, limit: 20, dispositions: ['malicious', 'no_threat_found'] }),
    'cases of an assignee': ({ cases }) => cases.list(everyone, { ...page, limit: 20, assignees: ['Bob'] }),
    'cases with a tag': ({ cases }) => cases.list(everyone, { ...page, limit: 20, tags: ['vip', 'none'] }),
    'closed cases': ({ cases }) => cases.list(everyone, { ...page, limit: 20, statuses: ['closed'] }),
    'cases by severity': ({ cases }) => cases.list(everyone, { ...page, limit: 20, sort: '-severity' }),
    'cases by change': ({ cases }) => cases.list(everyone, { ...page, limit: 20, sort: '-modified_at' }),
    'runs of a playbook': ({ runs }) => runs.list(everyone, { ...page, limit: 20, playbooks: ['old'] }),
    'cases of nobody': ({ cases }) => cases.list(everyone, { ...page, limit: 20, assignees: [null] }),
    'decisions of a kind': ({ decisions }) => decisions.list(everyone, { ...page, limit: 20, kinds: ['in_doubt'] }),
    'decisions of a kind and in a state': ({ decisions }) => decisions.list(everyone, { ...page, limit: 20, kinds: ['in_doubt'], states: ['open'] }),
    'decisions about a quota': ({ decisions }) => decisions.list(everyone, { ...page, limit: 20, quotas: ['x'] }),
    'dead deliveries': ({ deliveries }) => deliveries.list(everyone, { ...page, limit: 20, webhook: 'w' as never, states: ['dead'] }),
    'runs of two types': ({ runs }) => runs.list(everyone, { ...page, limit: 20, types: ['old0', 'old1'] }),
  }
  test('rare filters and all orders read few documents, by an index', async () => {
    await fillMany()
    await opened.database.command({ profile: 2 })
    for (const list of Object.values(rare)) expect((await list(store)).items).toHaveLength(20)
    await opened.database.command({ profile: 0 })
    const seen = await opened.database
      .collection('system.profile')
      .find({ 'command.find': { $in: ['cases', 'runs', 'decisions', 'deliveries'] }, 'command.sort': { $exists: true } })
      .toArray()
    expect(seen.length).toBeGreaterThanOrEqual(Object.keys(rare).length)
    const wasteful = seen.filter(({ docsExamined, keysExamined }) => Math.max(docsExamined, keysExamined) > 150)
    expect(wasteful.map(({ command, planSummary, docsExamined }) => ({ command, planSummary, docsExamined }))).toEqual([])
  })

  test('a count of the oldest alerts reads no newer ones', async () => {
    await opened.database.command({ profile: 2 })
    const tallies = [
      await store.alerts.tally(everyone, { createdTo: 1_000 }, null, 400),
      await store.alerts.tally(everyone, { createdTo: 1_000, organizations: ['many' as never], statuses: [15] }, null, 400),
    ]
    await opened.database.command({ profile: 0 })
    expect(tallies.map(({ matching, next }) => [matching, next?.createdAt])).toEqual([
      [400, 600],
      [400, 600],
    ])
    const counted = await opened.database.collection('system.profile').find({ 'command.aggregate': 'alerts' }).toArray()
    expect(counted.length).toBeGreaterThanOrEqual(2)
    // MongoDB tries two plans, so it reads the 400 alerts twice.
    expect(counted.map(({ docsExamined, keysExamined }) => Math.max(docsExamined, keysExamined)).filter((read) => read > 900)).toEqual([])
  })

  test.each(Object.entries(lists))('a list of %s reads no output, no journal and no timeline (complaint 7)', async (_, list) => {
    touched.clear()
    await list(store)
    expect(touched.size).toBeGreaterThan(0)
    expect([...touched].filter((name) => large.includes(name))).toEqual([])
  })
})
