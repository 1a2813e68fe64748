import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openEmbeddedStore } from '../../../runtime/storage/embedded/index.ts'
import { ManualClock } from '../../support/clocks/manual-clock.ts'
import { newConnection } from './connections/connections.ts'
import { leaseOf } from './connections/tokens.ts'
import { everyone, investigated, newDelivery, newTenant, newWebhook } from './fixtures.ts'

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
