import { mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashKey, newKeyValue } from '../api/index.ts'
import type { Config } from '../config/index.ts'
import { asId, type Clock, type Ids, type KeyId, type Principal, type PrincipalId, systemScope } from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import type { Store } from '../storage/index.ts'

const madeHere = 'admin (first start)'
const given = 'admin (TOCSIN_ADMIN_KEY)'
const unused = { revokedAt: null, expiresAt: null, lastUsedAt: null }

/** The administrator. All processes of an installation use the same id. */
async function administrator(store: Store, clock: Clock, ids: Ids): Promise<Principal> {
  const id = asId<PrincipalId>(await store.settings.settle(systemScope, 'administrator', ids.uuid()))
  const [standing] = await store.principals.byId(systemScope, [id])
  if (standing) return standing
  const principal: Principal = { id, name: 'admin', permissions: ['admin'], organizations: 'all', createdAt: clock.now(), createdBy: null }
  await store.principals.create(systemScope, principal)
  return principal
}

async function keysOf(store: Store, principal: PrincipalId) {
  const keys = []
  let after: KeyId | null = null
  for (;;) {
    const page: Awaited<ReturnType<Store['principals']['listKeys']>> = await store.principals.listKeys(systemScope, { after, limit: 200 })
    keys.push(...page.items.filter((item) => item.principal.id === principal).map(({ key }) => key))
    after = page.items.at(-1)?.key.id ?? null
    if (!page.more || after === null) return keys
  }
}

/** Makes TOCSIN_ADMIN_KEY an admin key, and revokes the key that the variable held before. */
async function useGivenKey(store: Store, principal: Principal, value: string, clock: Clock, ids: Ids): Promise<void> {
  const hash = hashKey(value)
  const keys = await keysOf(store, principal.id)
  for (const key of keys) {
    if (key.name === given && key.hash !== hash && key.revokedAt === null) await store.principals.revokeKey(systemScope, key.id, clock.now())
  }
  const key = { id: asId<KeyId>(ids.uuid()), principal: principal.id, name: given, hash, createdAt: clock.now(), ...unused }
  if ((await store.principals.addKey(systemScope, key)) === 'added') return
  if (!(await store.principals.keyByHash(systemScope, hash)))
    throw new TocsinError('config_invalid', 'TOCSIN_ADMIN_KEY was revoked.', [], { remedy: 'Give another key. Make one with: openssl rand -hex 32' })
}

/**
 * Makes sure that the installation has an admin key: TOCSIN_ADMIN_KEY if it is set, else a key that the first start creates and writes
 * to `<data>/admin.key`.
 * @returns the value and file of a new key, to be shown once; null if there is no new key
 */
export async function ensureAdminKey(store: Store, config: Config, clock: Clock, ids: Ids): Promise<{ value: string; file: string } | null> {
  const principal = await administrator(store, clock, ids)
  if (config.adminKey !== null) {
    await useGivenKey(store, principal, config.adminKey, clock, ids)
    return null
  }
  const file = join(config.data, 'admin.key')
  const standing = (await keysOf(store, principal.id)).find(({ name }) => name === madeHere)
  if (standing) return putInPlace(file, standing.hash)
  const value = newKeyValue(ids)
  // Processes that start at the same time agree on one key id, so only one of them creates the key. After a crash in between, the next start uses the id.
  const id = asId<KeyId>(await store.settings.settle(systemScope, 'first_admin_key', ids.uuid()))
  const hash = hashKey(value)
  const draft = draftOf(file, hash)
  mkdirSync(config.data, { recursive: true, mode: 0o700 })
  // Write the file before the key works, so that no working key is ever lost.
  writeFileSync(draft, `${value}\n`, { mode: 0o600, flush: true })
  const key = { id, principal: principal.id, name: madeHere, hash, createdAt: clock.now(), ...unused }
  if ((await store.principals.addKey(systemScope, key)) === 'exists') {
    unlinkSync(draft)
    return null
  }
  return putInPlace(file, hash)
}

/** The name of the file depends on the key, so that its value can be found if the key turns out to be the one that works. */
function draftOf(file: string, hash: string): string {
  return `${file}.${hash.slice(0, 16)}`
}

/** Renames the draft to `admin.key`. Returns null if another process has done so. If a process died before it did, the next one does it. */
function putInPlace(file: string, hash: string): { value: string; file: string } | null {
  try {
    renameSync(draftOf(file, hash), file)
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null
    throw error
  }
  return { value: readFileSync(file, 'utf8').trim(), file }
}
