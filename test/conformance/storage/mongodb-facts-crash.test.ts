import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock, systemIds } from '../../../runtime/config/seams.ts'
import { closedAs, nameOf } from '../../../runtime/domain/index.ts'
import type { Store } from '../../../runtime/storage/index.ts'
import { assemble } from '../../../runtime/storage/mongodb/assemble.ts'
import { type Collections, collectionsOf } from '../../../runtime/storage/mongodb/collections.ts'
import { type Connected, connect } from '../../../runtime/storage/mongodb/connect.ts'
import { migrate } from '../../../runtime/storage/mongodb/indexes.ts'
import { newDecision } from './decisions.ts'
import { dying } from './dying.ts'
import { claimOf, endOf, everyone, insertOne, mustClaim, newAlert, noon, numbersTo, openSession } from './fixtures.ts'
import { listening } from './outbox.ts'

const url = process.env['MONGODB_URL']
if (!url) console.log('skipped: facts and crashes on MongoDB (MONGODB_URL is not set)')

type Aggregates = Omit<Store, 'ping' | 'close'>

describe.skipIf(!url)('a process that dies between two writes to MongoDB keeps no fact from the outbox, and puts none there twice', () => {
  let opened: Connected
  let collections: Collections
  let store: Store

  beforeAll(async () => {
    opened = await connect(url ?? '', `facts-${randomUUID()}`)
    await migrate(opened.database, systemClock)
    collections = collectionsOf(opened.database)
    store = { ...assemble(collections, systemClock, systemIds).aggregates, ping: async () => {}, close: async () => {} }
  })
  afterAll(async () => {
    await opened.database.dropDatabase()
    await opened.client.close()
  })

  /** Does something in a process that dies before its nth write. Returns whether it came to that. */
  async function dieBefore(nth: number, work: (doomed: Aggregates) => Promise<unknown>): Promise<boolean> {
    const process = dying(collections, (_, write) => write < nth - 1)
    const { aggregates, idle } = assemble(process.collections, systemClock, systemIds)
    await work(aggregates).catch(() => undefined)
    await idle()
    return process.hit()
  }

  test.each(numbersTo(8))('a run that fails, and its process dies before write %i', async (nth) => {
    const tenant = await listening(store, ['case.opened', 'run.failed'])
    const alert = await insertOne(store, newAlert(tenant))
    const session = await openSession(store)
    const failing = { state: 'failed', at: noon + 60 } as const
    const died = await dieBefore(nth, async (doomed) => {
      const claimed = await mustClaim({ ...store, ...doomed }, claimOf(alert, session))
      await doomed.runs.end(everyone, endOf(claimed.run.id, 1, claimed.position, failing))
    })
    expect(died).toBe(true)
    await store.sessions.close(everyone, session)
    await store.runs.settle(everyone, 99)
    const again = await store.runs.claim(everyone, claimOf(alert, await openSession(store)))
    if (again.kind === 'claimed') await store.runs.end(everyone, endOf(again.run.id, again.run.epoch, again.position, failing))
    const [run] = await store.runs.ofAlert(everyone, alert.uuid)
    const facts = await store.outbox.pending(tenant.scope, 9)
    expect(facts.map(nameOf).sort((a, b) => (a.type < b.type ? -1 : 1))).toEqual([
      { type: 'case.opened', subject: run!.case },
      { type: 'run.failed', subject: run!.id },
    ])
    // Whoever mends it once more makes no new fact of it.
    await store.outbox.clear(everyone, facts.map(nameOf))
    await store.runs.settle(everyone, 99)
    expect(await store.outbox.pending(tenant.scope, 9)).toEqual([])
  })

  test.each([1, 2])('a decision that is opened and closed, and its process dies before write %i', async (nth) => {
    const tenant = await listening(store, ['decision.opened', 'decision.closed'])
    const decision = newDecision(tenant)
    const both = async ({ decisions }: Aggregates): Promise<void> => {
      const standing = await decisions.open(everyone, decision)
      if (standing.state === 'open') await decisions.revise(everyone, closedAs(standing, 'expired', noon))
    }
    expect(await dieBefore(nth, both)).toBe(true)
    await both(store)
    expect((await store.outbox.pending(tenant.scope, 9)).map(({ type }) => type).sort()).toEqual(['decision.closed', 'decision.opened'])
  })
})
