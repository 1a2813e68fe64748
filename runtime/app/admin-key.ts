import { mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashKey, newKeyValue } from '../api/index.ts'
import type { Config } from '../config/index.ts'
import { asId, type Clock, type Ids, type KeyId, type Principal, type PrincipalId, systemScope } from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import type { Store } from '../storage/index.ts'

const madeHere = 'admin (first start)'
const given = 'admin (TOCSIN_ADMIN_KEY)'

/** The one administrator that every process of an installation means. */
async function administrator(store: Store, clock: Clock, ids: Ids): Promise<Principal> {
  const id = asId<PrincipalId>(await store.settings.settle(systemScope, 'administrator', ids.uuid()))
  const [standing] = await store.principals.byId(systemScope, [id])
  if (standing) return standing
  const principal: Principal = { id, name: 'admin', permissions: ['admin'], organizations: 'all', createdAt: clock.now() }
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

/** Makes the key of TOCSIN_ADMIN_KEY an administrator's, and revokes the one that the variable held before. */
async function useGivenKey(store: Store, principal: Principal, value: string, clock: Clock, ids: Ids): Promise<void> {
  const hash = hashKey(value)
  const keys = await keysOf(store, principal.id)
  for (const key of keys) {
    if (key.name === given && key.hash !== hash && key.revokedAt === null) await store.principals.revokeKey(systemScope, key.id, clock.now())
  }
  const key = { id: asId<KeyId>(ids.uuid()), principal: principal.id, name: given, hash, createdAt: clock.now(), revokedAt: null }
  if ((await store.principals.addKey(systemScope, key)) === 'added') return
  if (!(await store.principals.keyByHash(systemScope, hash)))
    throw new TocsinError('config_invalid', 'TOCSIN_ADMIN_KEY was revoked.', [], { remedy: 'Give another key. Make one with: openssl rand -hex 32' })
}

/**
 * Sees to it that somebody can administer the installation: with TOCSIN_ADMIN_KEY where it is set, else with a key made at the
 * first start and written to `<data>/admin.key`.
 * @returns the new key's value and file at the first start, to be shown once; else null
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
  // Processes that start together settle on one key id, and so on who makes it; a crash in between leaves the id to the next start.
  const id = asId<KeyId>(await store.settings.settle(systemScope, 'first_admin_key', ids.uuid()))
  const hash = hashKey(value)
  const draft = draftOf(file, hash)
  mkdirSync(config.data, { recursive: true, mode: 0o700 })
  // Written before it works, so that no working key is ever lost.
  writeFileSync(draft, `${value}\n`, { mode: 0o600, flush: true })
  const key = { id, principal: principal.id, name: madeHere, hash, createdAt: clock.now(), revokedAt: null }
  if ((await store.principals.addKey(systemScope, key)) === 'exists') {
    unlinkSync(draft)
    return null
  }
  return putInPlace(file, hash)
}

/** Named by the key that it holds, so that whoever finds the key at work finds its value. */
function draftOf(file: string, hash: string): string {
  return `${file}.${hash.slice(0, 16)}`
}

/** Null: it is there already. A process that died before it had done so leaves it to the next. */
function putInPlace(file: string, hash: string): { value: string; file: string } | null {
  try {
    renameSync(draftOf(file, hash), file)
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null
    throw error
  }
  return { value: readFileSync(file, 'utf8').trim(), file }
}
