import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newConnection } from '../../test/conformance/storage/connections/connections.ts'
import { newWebhook } from '../../test/conformance/storage/fixtures.ts'
import { systemClock } from '../config/index.ts'
import { createVault, type Vault } from '../connection/index.ts'
import { type Connection, systemScope, type Webhook } from '../domain/index.ts'
import { parseVaultKey } from '../formats/index.ts'
import { openMemoryStore } from '../storage/embedded/index.ts'
import type { Store } from '../storage/index.ts'
import { createLogger } from '../telemetry/index.ts'
import { openVault } from './open-vault.ts'

let data: string
let store: Store
let log: Record<string, unknown>[]
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'tocsin-vault-'))
  store = openMemoryStore(systemClock)
  log = []
})
afterEach(async () => {
  await store.close()
  rmSync(data, { recursive: true, force: true })
})

const logger = createLogger({ level: 'info', destination: { write: (line: string) => void log.push(JSON.parse(line)) } })
const newKey = (): string => randomBytes(32).toString('base64')
const open = (vaultKey: string | null, vaultKeyOld: readonly string[] = [], on: Store = store): Promise<Vault> =>
  openVault({ vaultKey, vaultKeyOld, data }, on, logger)
const wrong = (message: RegExp) => expect.objectContaining({ code: 'vault_key_wrong', message: expect.stringMatching(message) })

/** Stores a connection with two secrets, and a webhook whose secret is being rotated. */
async function fill(vault: Vault): Promise<{ connection: Connection; webhook: Webhook }> {
  const [made, hook] = [newConnection(null), newWebhook(null)]
  const seal = (secret: string) => vault.seal(hook.id, 'signing_secret', secret)
  const connection = { ...made, secrets: { user: vault.seal(made.id, 'user', 'ada'), token: vault.seal(made.id, 'token', 'canary') } }
  const webhook = { ...hook, secret: seal('whsec_new'), previous: { secret: seal('whsec_old'), until: 99 } }
  await store.connections.create(systemScope, connection)
  await store.webhooks.create(systemScope, webhook)
  return { connection, webhook }
}

/** Returns all secrets of the store, decrypted with one key. */
async function secretsWith(key: string): Promise<readonly string[]> {
  const vault = createVault(parseVaultKey(key, 'key'))
  const { items: connections } = await store.connections.list(systemScope, { after: null, limit: 999 })
  const { items: webhooks } = await store.webhooks.list(systemScope, { after: null, limit: 999 })
  return [
    ...connections.flatMap(({ id, secrets }) => Object.entries(secrets).map(([field, sealed]) => vault.open(id, field, sealed))),
    ...webhooks.flatMap(({ id, secret, previous }) =>
      [secret, ...(previous ? [previous.secret] : [])].map((one) => vault.open(id, 'signing_secret', one)),
    ),
  ]
}
const all = ['ada', 'canary', 'whsec_new', 'whsec_old']

test('a start with a new key and the old one re-encrypts every secret, and keeps the revision of connections', async () => {
  const [old, key] = [newKey(), newKey()]
  const { connection } = await fill(await open(old))
  await open(key, [old])
  expect((await secretsWith(key)).toSorted()).toEqual(all)
  expect(await store.connections.byId(systemScope, [connection.id])).toMatchObject([{ revision: connection.revision, lastTest: null }])
  expect(log.at(-1)).toMatchObject({ re_encrypted: 2, msg: expect.stringMatching(/^every secret/) })
  await expect(open(old)).rejects.toEqual(wrong(/^The store has the vault key/))
  await open(key)
})

test('in a data folder, the old key is vault.key.old, and a start makes the new one', async () => {
  await fill(await open(null))
  const file = join(data, 'vault.key')
  renameSync(file, `${file}.old`)
  await open(null)
  expect((await secretsWith(readFileSync(file, 'utf8'))).toSorted()).toEqual(all)
  // The old file may stay, for backups that were made before.
  await open(null)
  rmSync(`${file}.old`)
  await open(null)
})

test('a wrong old key changes nothing, and leaves no new key behind', async () => {
  const { connection } = await fill(await open(null))
  const file = join(data, 'vault.key')
  const right = readFileSync(file, 'utf8')
  rmSync(file)
  writeFileSync(`${file}.old`, newKey())
  await expect(open(null)).rejects.toEqual(wrong(/^The store has the vault key/))
  expect(existsSync(file)).toBe(false)
  writeFileSync(file, right)
  await open(null)
  expect(await store.connections.byId(systemScope, [connection.id])).toEqual([connection])
})

test('a file with an old key that is not one is named', async () => {
  const file = join(data, 'vault.key.old')
  writeFileSync(file, 'short')
  await expect(open(newKey())).rejects.toMatchObject({ code: 'config_invalid', message: expect.stringContaining(file) })
  rmSync(file)
  mkdirSync(file)
  await expect(open(newKey())).rejects.toMatchObject({ code: 'file_unreadable', message: expect.stringContaining(file) })
})

test('if a start dies meanwhile, the next one needs the old key too, and completes it', async () => {
  const [old, key] = [newKey(), newKey()]
  await fill(await open(old))
  const dying: Store = { ...store, webhooks: { ...store.webhooks, revise: () => Promise.reject(new Error('died')) } }
  await expect(open(key, [old], dying)).rejects.toThrow('died')
  await expect(open(old)).rejects.toEqual(wrong(/^The store has the vault key/))
  await expect(open(key)).rejects.toEqual(wrong(/^Some secrets may still be encrypted/))
  await open(key, [old])
  expect((await secretsWith(key)).toSorted()).toEqual(all)
  await open(key)
})

test('a start that dies between two rotations is completed with both earlier keys', async () => {
  const [first, second, third] = [newKey(), newKey(), newKey()]
  await fill(await open(first))
  const dying: Store = { ...store, connections: { ...store.connections, reseal: () => Promise.reject(new Error('died')) } }
  await expect(open(second, [first], dying)).rejects.toThrow('died')
  await expect(open(third, [second])).rejects.toEqual(wrong(/this process has/))
  await open(third, [second, first])
  expect((await secretsWith(third)).toSorted()).toEqual(all)
})

test('what somebody changes meanwhile is re-encrypted, too', async () => {
  const [old, key] = [newKey(), newKey()]
  const { connection, webhook } = await fill(await open(old))
  let changed = false
  const busy: Store = {
    ...store,
    connections: {
      ...store.connections,
      async reseal(...parameters) {
        if (!changed) {
          changed = true
          await store.connections.revise(systemScope, { ...connection, revision: 2, description: 'renamed' })
          await store.webhooks.revise(systemScope, { ...webhook, revision: 2, description: 'renamed' })
        }
        return store.connections.reseal(...parameters)
      },
    },
  }
  await open(key, [old], busy)
  expect((await secretsWith(key)).toSorted()).toEqual(all)
  expect(await store.connections.byId(systemScope, [connection.id])).toMatchObject([{ revision: 2, description: 'renamed' }])
})

test('a secret that no key decrypts is named, and does not stop the start', async () => {
  const [old, key] = [newKey(), newKey()]
  const { connection } = await fill(await open(old))
  const broken = { ...connection, id: newConnection(null).id, instance: 'broken' }
  await store.connections.create(systemScope, broken)
  await open(key, [old])
  expect(log).toContainEqual(expect.objectContaining({ connection: broken.id, field: 'token' }))
  expect(log.at(-1)).toMatchObject({ re_encrypted: 2, msg: expect.stringMatching(/^every other secret/) })
})
