import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { asId, newFetchState, type PauseId } from '../../../runtime/domain/index.ts'
import { backUp, openEmbeddedStore } from '../../../runtime/storage/embedded/index.ts'
import type { Store } from '../../../runtime/storage/index.ts'
import { ManualClock } from '../../support/clocks/manual-clock.ts'
import { newConnection } from './connections/connections.ts'
import { leaseOf } from './connections/tokens.ts'
import { newFetch } from './fetches/made.ts'
import { ended, everyone, failedUntil, insertOne, investigated, newAlert, newDelivery, newTenant, newWebhook, noon } from './fixtures.ts'

test('a new process gets what the previous one had: its runs, its deliveries, and the token leases it held', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-boot-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const clock = new ManualClock()
  const tenant = newTenant()
  const [connection, webhook] = [newConnection(tenant.id), newWebhook(tenant.id)]
  const delivery = newDelivery(webhook)

  const store = await openEmbeddedStore({ directory, clock })
  const { alert } = await investigated(store, tenant)
  await store.connections.create(everyone, connection)
  await store.tokens.lease(everyone, connection, leaseOf())
  await store.deliveries.add(everyone, [delivery])
  const lease = { holder: 'the one before', duration: 60_000, limit: 9 }
  expect(await store.deliveries.lease(everyone, webhook.id, lease)).toHaveLength(1)
  await store.close()

  const next = await openEmbeddedStore({ directory, clock })
  onTestFinished(() => next.close())
  expect(await next.runs.orphans(everyone, 9)).toMatchObject([{ uuid: alert.uuid }])
  expect(await next.tokens.lease(everyone, connection, leaseOf())).toEqual({ kind: 'taken' })
  expect(await next.deliveries.lease(everyone, webhook.id, { ...lease, holder: 'the next' })).toMatchObject([{ id: delivery.id, attempts: 0 }])
})

test('a new process ends the leases of fetches, and those that were settled wait for their delay', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-boot-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const clock = new ManualClock()
  const tenant = newTenant()
  const [leased, settled] = [newFetch(tenant.id), newFetch(tenant.id)]
  const lease = { holder: 'the one before', duration: 60_000 }
  const store = await openEmbeddedStore({ directory, clock })
  for (const fetch of [leased, settled]) {
    await store.fetches.create(everyone, fetch, newFetchState(noon))
    expect(await store.fetches.lease(everyone, fetch.id, lease)).not.toBeNull()
  }
  await store.fetches.settle(everyone, settled.id, 'the one before', newFetchState(noon), 60_000)
  await store.close()

  const next = await openEmbeddedStore({ directory, clock })
  onTestFinished(() => next.close())
  expect(await next.fetches.due(tenant.scope, 9)).toEqual([leased.id])
  expect(await next.fetches.settle(everyone, leased.id, 'the one before', newFetchState(noon), 0)).toBe(false)
})

test.each<{ only: string; pauses: readonly string[]; fill: (store: Store) => Promise<unknown> }>([
  { only: 'a fetch', pauses: ['everything'], fill: (store) => store.fetches.create(everyone, newFetch(newTenant().id), newFetchState(noon)) },
  {
    only: 'a disabled fetch',
    pauses: [],
    fill: (store) => store.fetches.create(everyone, newFetch(newTenant().id, { enabled: false }), newFetchState(noon)),
  },
  {
    only: 'an alert that a pause holds',
    pauses: ['everything'],
    fill: async (store) => store.alerts.hold(everyone, (await insertOne(store, newAlert(newTenant()))).uuid, asId<PauseId>('p')),
  },
  { only: 'an automatic retry', pauses: ['everything'], fill: (store) => failedUntil(store, newTenant(), noon + 60_000) },
  { only: 'an investigation that has ended', pauses: [], fill: (store) => ended(store, newTenant()) },
])('a copy whose only work is $only begins with the pauses $pauses', async ({ pauses, fill }) => {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-boot-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const [original, copied] = [join(directory, 'original'), join(directory, 'copy')]
  const clock = new ManualClock()
  const store = await openEmbeddedStore({ directory: original, clock })
  await fill(store)
  await store.close()
  backUp(original, copied, [], clock.now())
  const copy = await openEmbeddedStore({ directory: copied, clock, report: () => {} })
  onTestFinished(() => copy.close())
  expect((await copy.pauses.standing(everyone)).map(({ target }) => target.kind)).toEqual(pauses)
})
