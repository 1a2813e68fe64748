import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import { hashKey } from '../api/index.ts'
import { type Config, systemIds } from '../config/index.ts'
import { systemScope } from '../domain/index.ts'
import { openMemoryStore } from '../storage/embedded/index.ts'
import { ensureAdminKey } from './admin-key.ts'

const clock = new ManualClock()
const newConfig = (): Config => ({ data: mkdtempSync(join(tmpdir(), 'tocsin-admin-')), adminKey: null }) as Config
const read = (file: string): string => readFileSync(file, 'utf8').trim()

test('the first start makes a key and says it; later ones say nothing', async () => {
  const store = openMemoryStore(clock)
  const config = newConfig()
  const made = await ensureAdminKey(store, config, clock, systemIds)
  expect(made).toEqual({ value: read(join(config.data, 'admin.key')), file: join(config.data, 'admin.key') })
  expect(await ensureAdminKey(store, config, clock, systemIds)).toBeNull()
  expect(readdirSync(config.data)).toEqual(['admin.key'])
})

test('where the process died when the key worked and was in no file yet, the next start says it', async () => {
  const store = openMemoryStore(clock)
  const config = newConfig()
  const dying = Object.create(store, {
    principals: {
      value: Object.create(store.principals, {
        addKey: {
          value: async (...key: Parameters<typeof store.principals.addKey>) => {
            await store.principals.addKey(...key)
            throw new Error('died')
          },
        },
      }),
    },
  })
  await expect(ensureAdminKey(dying, config, clock, systemIds)).rejects.toThrow('died')
  const made = await ensureAdminKey(store, config, clock, systemIds)
  expect(made?.value).toBe(read(join(config.data, 'admin.key')))
  expect(await store.principals.keyByHash(systemScope, hashKey(String(made?.value)))).not.toBeNull()
})
