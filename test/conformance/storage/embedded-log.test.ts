import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openEmbeddedStore } from '../../../runtime/storage/embedded/index.ts'
import { ManualClock } from '../../support/manual-clock.ts'
import { everyone, newTenant, organizationOf } from './fixtures.ts'

const folder = mkdtempSync(join(tmpdir(), 'tocsin-log-'))
const clock = new ManualClock()
afterEach(() => rmSync(folder, { recursive: true }))

test('once its log was taken away nothing is acknowledged, and the next process has what was', async () => {
  const directory = join(folder, 'data')
  const store = await openEmbeddedStore({ directory, clock })
  const create = () => store.organizations.create(everyone, organizationOf(newTenant()))
  const before = organizationOf(newTenant())
  await store.organizations.create(everyone, before)
  rmSync(join(directory, 'tocsin.db-wal'))
  for (const refused of [create, create, store.ping])
    await expect(refused()).rejects.toMatchObject({ code: 'store_unavailable', message: expect.stringContaining('taken away') })

  const left = join(folder, 'left')
  cpSync(join(directory, 'tocsin.db'), join(left, 'tocsin.db'))
  const next = await openEmbeddedStore({ directory: left, clock })
  expect(await next.organizations.byId(everyone, [before.id])).toEqual([before])
  await next.close()
  await store.close()
})
