import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kindOf, type Original } from '../../bench/growth/copies.ts'
import { type Filled, fillEmbedded } from '../../bench/growth/embedded.ts'
import { dropMongo, fillMongo } from '../../bench/growth/mongodb.ts'
import { investigate } from '../../bench/growth/originals.ts'
import { Template } from '../../bench/growth/template.ts'
import { startChild } from '../../bench/table/child.ts'
import type { SystemAddress } from '../../bench/table/subject.ts'
import { type Installation, newInstallation, setUp, startInstalled } from '../../bench/table/tocsin.ts'
import { systemClock, systemIds } from '../../runtime/config/index.ts'
import { type Alert, type AlertUuid, asId, systemScope } from '../../runtime/domain/index.ts'
import { openEmbeddedStore } from '../../runtime/storage/embedded/index.ts'
import type { AlertConditions, Store } from '../../runtime/storage/index.ts'
import { connect } from '../../runtime/storage/mongodb/client/connect.ts'
import { openMongoStore } from '../../runtime/storage/mongodb/index.ts'
import { type Backends, backendsAtHand } from '../support/processes/installation.ts'

const workingTree = fileURLToPath(new URL('../..', import.meta.url))
/** More than a segment of the index of words has, so that the store searches in one. */
const alerts = 4_200

test('a template replaces names and times, and nothing else', () => {
  const template = new Template('["A-B-1","B-1","B-12",1795462288343,"x1795462288343",17]', ['B-1', 'A-B-1'])
  expect(template.copy(['D-5', 'C-D-7'], -343)).toBe('["C-D-7","D-5","B-12",1795462288000,"x1795462288343",17]')
})

describe.each(backendsAtHand('copies of alerts'))('copies on %s', (backends: Backends) => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-growth-'))
  let [originals, mongodb]: [readonly Original[], string] = [[], '']
  let filled: Filled
  let store: Store

  /** Fills the store of an installation that does not run. */
  async function fill({ environment }: Installation): Promise<Filled> {
    const to = Math.min(...originals.map(({ createdAt }) => createdAt))
    const plan = { alerts, from: to - alerts * 1_000, to }
    if (backends === 'embedded') return fillEmbedded(join(folder, 'data'), originals, plan, () => {})
    mongodb = environment['MONGODB_URL'] ?? ''
    return fillMongo(mongodb, originals, plan, () => {})
  }

  beforeAll(async () => {
    const system = await startChild<SystemAddress>(join(workingTree, 'bench/system.ts'), [join(folder, 'pki')])
    try {
      const installation = newInstallation(backends, { system: system.told, folder })
      const subject = await startInstalled(installation, workingTree)
      try {
        await setUp(subject, system.told)
        originals = await investigate(subject.load)
      } finally {
        await subject.stop()
      }
      filled = await fill(installation)
    } finally {
      await system.stop()
    }
    store =
      backends === 'embedded'
        ? await openEmbeddedStore({ directory: join(folder, 'data'), clock: systemClock })
        : await openMongoStore({ url: mongodb, clock: systemClock, ids: systemIds })
  })
  afterAll(async () => {
    await store?.close()
    rmSync(folder, { recursive: true, force: true })
    if (mongodb !== '') await dropMongo(mongodb)
  })

  async function all(conditions: AlertConditions): Promise<readonly Alert[]> {
    const { items, more } = await store.alerts.list(systemScope, {
      ...conditions,
      sort: 'created_at',
      after: null,
      limit: alerts * 2,
      preview: 5_000,
    })
    expect(more).toBe(false)
    return items
  }

  test('the store finds each copy by its words, and by status and playbook', async () => {
    const numbers = Array.from({ length: alerts }, (_, n) => n)
    expect(await all({})).toHaveLength(alerts + originals.length)
    expect(await all({ words: ['never1'] })).toHaveLength(numbers.filter((n) => n % 4 === 0).length)
    expect(await all({ words: ['never1', 'never2'] })).toEqual([])
    expect(await all({ words: ['lorem'], statuses: [20] })).toHaveLength(numbers.filter((n) => kindOf(n) === 'failed').length + 1)
    expect(await all({ playbooks: ['bench-run'] })).toHaveLength(numbers.filter((n) => kindOf(n) === 'short').length + 1)
    const [single, ...others] = await all({ words: ['single'] })
    expect(others).toEqual([])
    expect(JSON.parse(single?.content ?? '')).toMatchObject({ words: expect.stringContaining(' single ') })
  })

  test.skipIf(backends === 'embedded')(
    'the oldest copies are in a segment that has a page of states, and only the others are in blocks',
    async () => {
      const { client, database } = await connect(mongodb, null)
      const count = (name: string): Promise<number> => database.collection(name).countDocuments()
      expect(await Promise.all(['alert_segments', 'alert_states'].map(count))).toEqual([1, 1])
      expect(await count('alert_words')).toBeLessThan((alerts + originals.length) / 64 - 60)
      await client.close()
    },
  )

  test('the store reads the run, the journal, the case and the decision of a copy as its own', async () => {
    const copied = (await all({})).filter(({ uuid }) => !originals.some(({ alertUuid }) => alertUuid === uuid))
    let entries = 0
    for (const alert of [copied[3], copied[1], copied[5]]) {
      const kind = kindOf(copied.indexOf(alert as Alert))
      const [run] = await store.runs.ofAlert(systemScope, alert?.uuid ?? asId<AlertUuid>(''))
      const journal = run ? await store.journal.read(systemScope, run.id) : []
      entries += journal.length
      expect(journal.map(({ position }) => position)).toEqual(journal.map((_, position) => position))
      expect(journal.at(-1)?.records.at(-1)).toMatchObject({ kind: 'ended', state: kind === 'failed' ? 'failed' : 'completed' })
      const found = await store.cases.byCaseId(systemScope, alert?.caseId ?? '')
      expect(found).toMatchObject({ uuid: run?.case, alerts: [{ alertId: alert?.alertId, alertUuid: alert?.uuid }], createdAt: run?.startedAt })
      const timeline = found && (await store.cases.timeline(systemScope, found.uuid, { before: null, limit: 50, characters: 100_000 }))
      expect(timeline?.entries[0]?.body).toMatchObject({ kind: 'opened', text: `Case opened for alert ${alert?.alertId}` })
      const decisions = await store.decisions.list(systemScope, { runs: run ? [run.id] : [], after: null, limit: 5 })
      expect(decisions.items.map(({ state, caseId }) => [state, caseId])).toEqual(kind === 'asked' ? [['approved', alert?.caseId]] : [])
    }
    // At least one for the claim, one for each intent and one for the end. How many outcomes share an entry depends on time.
    expect(entries).toBeGreaterThanOrEqual(3 * 6)
    expect(filled.journalEntries).toBeGreaterThanOrEqual(4 * alerts)
  })

  test('what comes next has the numbers after the copies', async () => {
    const [first] = await all({})
    if (!first) throw new Error('there is no alert')
    const { organization, organizationCode, provider, numberedAs, type, content, name, createdBy } = first
    const same = { organization, organizationCode, provider, numberedAs, type, content, name, createdBy, createdAtSource: null, idempotency: null }
    const next = { ...same, uuid: asId<AlertUuid>(systemIds.uuid()), tokens: ['x'], createdAt: systemClock.now() }
    const [inserted] = await store.alerts.insert(systemScope, [next])
    expect(inserted?.alert.sequence).toBe(alerts + originals.length + 1)
  })
})
