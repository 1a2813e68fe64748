import { type Connection, type ConnectionId, type Sealed, systemScope, type Webhook, type WebhookId } from '../../domain/index.ts'
import { isTocsinError } from '../../errors/index.ts'
import type { Store } from '../../storage/index.ts'
import type { Vault } from './vault.ts'
import { signingSecret } from './webhook-signer.ts'

/** How many connections or webhooks are read at once. */
const together = 100

/** A secret that no key of the vault decrypts. */
interface Unreadable {
  readonly connection?: ConnectionId
  readonly webhook?: WebhookId
  readonly field: string
}

/** What was done to the secrets of a store. */
export interface Resealed {
  /** How many connections and webhooks had secrets that were re-encrypted. */
  readonly resealed: number
  readonly unreadable: readonly Unreadable[]
}

/**
 * Re-encrypts the secrets of connections and webhooks that have an earlier key of the vault. Leaves access tokens alone, because they expire.
 * Connections keep their revision, so runs under way go on. May be repeated at any time.
 * @throws the store's error
 */
export async function resealSecrets(store: Pick<Store, 'connections' | 'webhooks'>, vault: Vault): Promise<Resealed> {
  const unreadable: Unreadable[] = []
  let resealed = 0
  for await (const one of all<ConnectionId, Connection>((after) => store.connections.list(systemScope, { after, limit: together })))
    if (await resealConnection(store, vault, one, unreadable)) resealed += 1
  for await (const one of all<WebhookId, Webhook>((after) => store.webhooks.list(systemScope, { after, limit: together })))
    if (await resealWebhook(store, vault, one, unreadable)) resealed += 1
  return { resealed, unreadable }
}

async function* all<Id, T extends { readonly id: Id }>(
  page: (after: Id | null) => Promise<{ readonly items: readonly T[]; readonly more: boolean }>,
): AsyncGenerator<T> {
  for (let after: Id | null = null; ; ) {
    const { items, more } = await page(after)
    yield* items
    const last = items.at(-1)
    if (!more || last === undefined) return
    after = last.id
  }
}

/** Re-encrypts a secret. Returns null if it has the vault's key already, or if it cannot be decrypted. Then it also calls `onUnreadable`. */
function reencrypted(vault: Vault, owner: ConnectionId | WebhookId, field: string, sealed: Sealed, onUnreadable: () => void): Sealed | null {
  if (sealed.key === vault.keyId) return null
  try {
    return vault.seal(owner, field, vault.open(owner, field, sealed))
  } catch (error) {
    if (!isTocsinError(error) || error.code !== 'secret_unreadable') throw error
    onUnreadable()
    return null
  }
}

async function resealConnection(store: Pick<Store, 'connections'>, vault: Vault, found: Connection, unreadable: Unreadable[]): Promise<boolean> {
  for (let now: Connection | undefined = found; now !== undefined; ) {
    const { id, revision, secrets }: Connection = now
    const failed: string[] = []
    const changed = Object.entries(secrets).flatMap(([field, sealed]) => {
      const next = reencrypted(vault, id, field, sealed, () => failed.push(field))
      return next ? [[field, next] as const] : []
    })
    const next = { id, revision, secrets: { ...secrets, ...Object.fromEntries(changed) } }
    if (changed.length === 0 || (await store.connections.reseal(systemScope, next))) {
      unreadable.push(...failed.map((field) => ({ connection: id, field })))
      return changed.length > 0
    }
    // Somebody has changed it meanwhile, or removed it.
    now = (await store.connections.byId(systemScope, [id]))[0]
  }
  return false
}

async function resealWebhook(store: Pick<Store, 'webhooks'>, vault: Vault, found: Webhook, unreadable: Unreadable[]): Promise<boolean> {
  for (let now: Webhook | null = found; now !== null; ) {
    const { id, previous, revision }: Webhook = now
    let failed = false
    const fresh = (sealed: Sealed): Sealed | null =>
      reencrypted(vault, id, signingSecret, sealed, () => {
        failed = true
      })
    const [secret, before] = [fresh(now.secret), previous && fresh(previous.secret)]
    const next: Webhook = {
      ...now,
      revision: revision + 1,
      ...(secret && { secret }),
      ...(previous && before && { previous: { ...previous, secret: before } }),
    }
    const changed = secret !== null || before !== null
    if (!changed || (await store.webhooks.revise(systemScope, next)) === 'revised') {
      if (failed) unreadable.push({ webhook: id, field: signingSecret })
      return changed
    }
    now = await store.webhooks.get(systemScope, id)
  }
  return false
}
