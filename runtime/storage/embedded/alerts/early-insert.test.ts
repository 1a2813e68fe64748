import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { claimOf, justStored, newAlert, newTenant, openSession } from '../../../../test/conformance/storage/fixtures.ts'
import { ManualClock } from '../../../../test/support/clocks/manual-clock.ts'
import { type NewAlert, systemScope } from '../../../domain/index.ts'
import type { ClaimResult, InsertedAlert } from '../../port/index.ts'
import { filesOf } from '../files/names.ts'
import { openEmbeddedStore } from '../index.ts'
import { type InsertAnswer, tellBeforeCommit } from './early-insert.ts'

const tenant = newTenant()
const alert = (): NewAlert => newAlert(tenant)

/** Returns an insert whose answers the test gives. */
function held() {
  const executed = Promise.withResolvers<readonly InsertedAlert[]>()
  const committed = Promise.withResolvers<readonly InsertedAlert[]>()
  const plain = vi.fn(async () => [])
  const insert = tellBeforeCommit({ insert: plain }, (): InsertAnswer => ({ executed: executed.promise, committed: committed.promise }))
  return { executed, committed, plain, insert }
}

test('an insert tells what it has executed, and resolves when it is committed', async () => {
  const { executed, committed, insert } = held()
  const told: unknown[] = []
  const answer = insert(systemScope, [alert()], (inserted) => told.push(inserted))
  executed.resolve([])
  expect(await Promise.race([answer, new Promise((resolve) => setImmediate(resolve, 'not yet'))])).toBe('not yet')
  expect(told).toEqual([[]])
  committed.resolve([])
  expect(await answer).toEqual([])
})

test('an insert for which nobody asked, or of many alerts, tells nothing before its commit', async () => {
  const { plain, insert } = held()
  const told = vi.fn()
  const [one, many] = [[alert()], Array.from({ length: 9 }, alert)]
  await insert(systemScope, one)
  await insert(systemScope, many, told)
  expect(plain.mock.calls).toEqual([
    [systemScope, one],
    [systemScope, many],
  ])
  expect(told).not.toHaveBeenCalled()
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

test('a claim that is made when an insert is told finds the alert', async () => {
  const { store } = await opened()
  const session = await openSession(store)
  const claim = Promise.withResolvers<ClaimResult>()
  const order: string[] = []
  const stored = newAlert(tenant)
  const inserted = await store.alerts.insert(systemScope, [stored], ([one]) => {
    order.push('told')
    if (one) claim.resolve(store.runs.claim(systemScope, justStored(claimOf(stored, session), one.alert)))
  })
  order.push('inserted')
  expect(await claim.promise).toMatchObject({ kind: 'claimed', run: { alert: inserted[0]?.alert.uuid } })
  expect(order).toEqual(['told', 'inserted'])
})

test('if the insert fails after all, the claim of its alert is over, and the store has nothing of it', async () => {
  const { store } = await opened()
  const session = await openSession(store)
  const lost = newAlert(tenant)
  const names = { alertId: 'ACME-SIEM-1', organizationCode: 'ACME' }
  expect(await store.runs.claim(systemScope, { ...claimOf(lost, session), justStored: names })).toEqual({ kind: 'over' })
  expect(await store.runs.ofAlert(systemScope, lost.uuid)).toEqual([])
})

test('while the files are away, a claim that was made when an insert was told is refused like the insert', async () => {
  const { store, files } = await opened()
  const session = await openSession(store)
  // The writer looks at its files after the first call, and then not again, because the clock stands still.
  await store.alerts.insert(systemScope, [newAlert(tenant)])
  renameSync(files.database, `${files.database}.moved`)
  const claim = Promise.withResolvers<ClaimResult>()
  const stored = newAlert(tenant)
  const insert = store.alerts.insert(systemScope, [stored], ([one]) => {
    if (one) claim.resolve(store.runs.claim(systemScope, justStored(claimOf(stored, session), one.alert)))
  })
  await expect(insert).rejects.toMatchObject({ code: 'store_unavailable' })
  await expect(claim.promise).rejects.toMatchObject({ code: 'store_unavailable' })
  renameSync(`${files.database}.moved`, files.database)
})
