import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { claimOf, newAlert, newTenant, openSession } from '../../../../test/conformance/storage/fixtures.ts'
import { ManualClock } from '../../../../test/support/clocks/manual-clock.ts'
import { type NewAlert, type SessionId, systemScope } from '../../../domain/index.ts'
import { inLane, laneOf } from '../../../fairness/index.ts'
import type { ClaimResult, InsertedAlert, Store } from '../../port/index.ts'
import { filesOf, type StoreFiles } from '../files/names.ts'
import { openEmbeddedStore } from '../index.ts'
import { type InsertAnswer, tellWhenSent } from './early-insert.ts'

const tenant = newTenant()
const alert = (): NewAlert => newAlert(tenant)

/** Returns an insert whose answers the test gives. */
function held() {
  const executed = Promise.withResolvers<readonly InsertedAlert[]>()
  const committed = Promise.withResolvers<readonly InsertedAlert[]>()
  const plain = vi.fn(async () => [])
  const insert = tellWhenSent({ insert: plain }, (): InsertAnswer => ({ executed: executed.promise, committed: committed.promise }))
  return { executed, committed, plain, insert }
}

const notYet = (): Promise<string> => new Promise((resolve) => setImmediate(resolve, 'not yet'))

test('an insert tells at once that it is sent, numbers when it is executed, and resolves when it is committed', async () => {
  const { executed, committed, insert } = held()
  const told: Promise<unknown>[] = []
  const answer = insert(systemScope, [alert()], (numbered) => told.push(numbered))
  expect(told).toHaveLength(1)
  executed.resolve([])
  expect(await told[0]).toEqual([])
  expect(await Promise.race([answer, notYet()])).toBe('not yet')
  committed.resolve([])
  expect(await answer).toEqual([])
})

test('an insert of many alerts numbers when it is committed, and one for which nobody asked tells nothing', async () => {
  const { plain, insert } = held()
  const told: Promise<unknown>[] = []
  const [one, many] = [[alert()], Array.from({ length: 9 }, alert)]
  await insert(systemScope, one)
  await insert(systemScope, many, (numbered) => told.push(numbered))
  expect(plain.mock.calls).toEqual([
    [systemScope, one],
    [systemScope, many],
  ])
  expect(await Promise.all(told)).toEqual([[]])
})

async function opened() {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-early-insert-'))
  const store = await openEmbeddedStore({ directory, clock: new ManualClock() })
  onTestFinished(async () => {
    await store.close()
    rmSync(directory, { recursive: true })
  })
  return { store, files: filesOf(directory) }
}

/** Returns how many commits the database has had. */
function commitsIn({ database }: StoreFiles): number {
  const reader = new DatabaseSync(database, { readOnly: true })
  const row = reader.prepare("SELECT value FROM counters WHERE key = '#commits'").get()
  reader.close()
  return Number(row?.['value'])
}

/** Inserts an alert and claims its run as soon as the insert is sent. Neither rejects. */
async function insertAndClaim(store: Store, session: SessionId, one: NewAlert) {
  let claim: Promise<ClaimResult> | undefined
  const lane = laneOf(one.organization, one.type ?? '')
  const insert = inLane(lane, () =>
    store.alerts.insert(systemScope, [one], () => {
      claim = store.runs.claim(systemScope, { ...claimOf(one, session), underWay: true })
      claim.catch(() => {})
    }),
  )
  const [inserted, claimed] = await Promise.allSettled([insert, insert.catch(() => {}).then(() => claim)])
  return { inserted, claimed }
}

test('a claim that is made when an insert is sent finds the alert, and both are in one commit', async () => {
  const { store, files } = await opened()
  const session = await openSession(store)
  const one = alert()
  const before = commitsIn(files)
  const { inserted, claimed } = await insertAndClaim(store, session, one)
  expect(inserted).toMatchObject({ value: [{ fresh: true }] })
  expect(claimed).toMatchObject({ value: { kind: 'claimed', run: { alert: one.uuid, epoch: 1 } } })
  expect(commitsIn(files) - before).toBe(1)
  expect(await store.alerts.get(systemScope, [one.uuid])).toMatchObject([{ status: 10 }])
})

test('if the alert is not stored, the claim of its run is over, and the store has nothing of it', async () => {
  const { store } = await opened()
  const session = await openSession(store)
  const first = { ...alert(), idempotency: { key: 'k', digest: 'd' } }
  await store.alerts.insert(systemScope, [first])
  const repeat = { ...first, uuid: alert().uuid }
  const { inserted, claimed } = await insertAndClaim(store, session, repeat)
  expect(inserted).toMatchObject({ value: [{ fresh: false, alert: { uuid: first.uuid } }] })
  expect(claimed).toMatchObject({ value: { kind: 'over' } })
  expect(await store.runs.ofAlert(systemScope, repeat.uuid)).toEqual([])
})

test('while the files are away, a claim that was made when an insert was sent fails with it', async () => {
  const { store, files } = await opened()
  const session = await openSession(store)
  // The writer looks at its files after the first call, and then not again, because the clock stands still.
  await store.alerts.insert(systemScope, [alert()])
  renameSync(files.database, `${files.database}.moved`)
  const { inserted, claimed } = await insertAndClaim(store, session, alert())
  const unavailable = { code: 'store_unavailable' }
  expect(inserted).toMatchObject({ reason: unavailable })
  // It was executed. The run waits for its commit before it stores or changes anything.
  const { value } = claimed as PromiseFulfilledResult<Extract<ClaimResult, { kind: 'claimed' }>>
  expect(value.kind).toBe('claimed')
  await expect(value.opened).rejects.toMatchObject(unavailable)
  renameSync(`${files.database}.moved`, files.database)
})
