import { LRUCache } from 'lru-cache'
import {
  type Clock,
  type Connection,
  type ConnectionId,
  type Ids,
  type KeptToken,
  type Millis,
  organizationScope,
  type Scope,
  systemScope,
} from '../../domain/index.ts'
import { isTocsinError, TocsinError } from '../../errors/index.ts'
import type { TokenStore } from '../../storage/index.ts'
import { awaitUntil } from '../send/await-until.ts'
import type { Deadline } from '../send/deadline.ts'
import type { Vault } from '../vault/vault.ts'
import type { AccessToken, NotSent, TokenResult, TokenSource } from './types.ts'

/** How long a lease outlives the request that it is for. */
const leaseMargin: Millis = 5_000
/** How often the store is asked whether another process has the token. */
const pollEvery: Millis = 200
/** A wrong secret must not be tried by every call: some systems lock an account for that. */
const refusalRemembered: Millis = 30_000
/** A token is renewed so long before it ends, or after nine tenths of its life. */
const renewBefore: Millis = 30_000
const maxHeld = 10_000

/** Which token will do. */
export interface Wanted {
  /** A newer one than this version; 0: any. */
  readonly newerThan: number
  /** One that is asked for now, even if the external system refused a moment ago: what a test by hand wants. */
  readonly anew: boolean
}

interface Held {
  readonly revision: number
  readonly token: AccessToken
}

/**
 * The access tokens of connections, in memory while they are used and sealed in the store (docs/decisions/0010). All callers of this process
 * share one renewal, and all processes one lease.
 */
export class AccessTokens {
  readonly #store: TokenStore
  readonly #vault: Vault
  readonly #clock: Clock
  readonly #ids: Ids
  readonly #held = new LRUCache<ConnectionId, Held>({ maxSize: maxHeld, sizeCalculation: () => 1 })
  readonly #flights = new Map<string, Promise<TokenResult>>()

  constructor(store: TokenStore, vault: Vault, clock: Clock, ids: Ids) {
    this.#store = store
    this.#vault = vault
    this.#clock = clock
    this.#ids = ids
  }

  /** A token of the connection, or why there is none. The deadline is the caller's alone: others go on waiting for the same renewal. */
  async obtain(source: TokenSource, wanted: Wanted, deadline: Deadline): Promise<TokenResult> {
    const { id, revision } = source.connection
    const began = this.#clock.now()
    for (;;) {
      const held = this.#held.get(id)
      if (!wanted.anew && held?.revision === revision && held.token.version > wanted.newerThan && !this.#spent(held.token))
        return { ok: true, token: held.token }
      const left = { ...deadline, timeout: Math.max(deadline.timeout - (this.#clock.now() - began), 0) }
      const joined = this.#flights.has(flightKey(source, wanted))
      const result = await awaitUntil(this.#flight(source, wanted), this.#clock, left)
      if (result === null) return { ok: false, failure: late(deadline) }
      // The renewal that was under way may have been of an older token.
      if (!joined || !result.ok || result.token.version > wanted.newerThan) return result
    }
  }

  #flight(source: TokenSource, wanted: Wanted): Promise<TokenResult> {
    const key = flightKey(source, wanted)
    const standing = this.#flights.get(key)
    if (standing) return standing
    const flight = this.#fetch(source, wanted)
      .catch((error: unknown): TokenResult => {
        if (isTocsinError(error)) return { ok: false, failure: { effect: 'not_sent', code: error.code, message: error.message } }
        throw error
      })
      .finally(() => this.#flights.delete(key))
    // Whoever began it may have given up when it fails.
    flight.catch(() => {})
    this.#flights.set(key, flight)
    return flight
  }

  async #fetch(source: TokenSource, { newerThan, anew }: Wanted): Promise<TokenResult> {
    const { connection, patience } = source
    const scope = scopeOf(connection)
    const standing = await this.#store.get(scope, connection)
    const usable = standing && this.#open(source, standing)
    if (usable && !anew && usable.version > newerThan && !this.#spent(usable)) return this.#keep(connection, usable)

    let seen = standing?.version ?? 0
    const duration = patience + leaseMargin
    const holder = this.#ids.uuid()
    for (const until = this.#clock.now() + 3 * duration; this.#clock.now() < until; ) {
      const lease = await this.#store.lease(scope, connection, { seen, holder, duration, anew })
      if (lease.kind === 'taken') {
        const result = await this.#ask(source, scope, holder)
        if (result) return result
        continue
      }
      if (lease.kind === 'newer') {
        const token = this.#open(source, lease.token)
        if (token) return this.#keep(connection, token)
        seen = lease.token.version
        continue
      }
      if (lease.kind === 'refused') return { ok: false, failure: { effect: 'not_sent', ...lease.refusal } }
      if (lease.kind === 'gone')
        throw new TocsinError('connection_changed', `The connection ${connection.instance} was changed or removed meanwhile.`)
      await this.#clock.sleep(pollEvery)
    }
    throw new TocsinError('call_timeout', `Another process was to renew the access token of ${connection.instance}, and did not.`)
  }

  /** @returns null when the lease was lost meanwhile: then the token is another's to keep */
  async #ask(source: TokenSource, scope: Scope, holder: string): Promise<TokenResult | null> {
    const { connection } = source
    const began = this.#clock.now()
    const release = (refused: Parameters<TokenStore['release']>[3]): Promise<void> => this.#store.release(scope, connection, holder, refused)
    const asked = await source.ask().catch(async (error: unknown) => {
      await release(null)
      throw error
    })
    if (!asked.ok) {
      const { code, message, remedy, vendor } = asked.failure
      const refusal = { code, message, remedy: remedy ?? null, ...(vendor && { vendor }) }
      await release(asked.refused ? { refusal, duration: refusalRemembered } : null)
      return asked
    }
    const { token: text, lifetime, members } = asked.granted
    const sealed = this.#vault.seal(connection.id, fieldOf(connection), JSON.stringify({ text, members }))
    const expiresAt = lifetime === null ? null : Math.floor(began + lifetime - Math.min(renewBefore, lifetime / 10))
    const kept = await this.#store.put(scope, connection, holder, { sealed, expiresAt })
    return kept && this.#keep(connection, { version: kept.version, text, members, expiresAt })
  }

  /** Null when it cannot be read: it was sealed with another key, or by an older version. */
  #open({ connection }: TokenSource, { version, sealed, expiresAt }: KeptToken): AccessToken | null {
    try {
      const { text, members } = JSON.parse(this.#vault.open(connection.id, fieldOf(connection), sealed)) as Pick<AccessToken, 'text' | 'members'>
      return { version, text, members, expiresAt }
    } catch (error) {
      if (isTocsinError(error) && error.code === 'secret_unreadable') return null
      throw error
    }
  }

  #keep({ id, revision }: Connection, token: AccessToken): TokenResult {
    this.#held.set(id, { revision, token })
    return { ok: true, token }
  }

  #spent({ expiresAt }: AccessToken): boolean {
    return expiresAt !== null && this.#clock.now() >= expiresAt
  }
}

function flightKey({ connection: { id, revision } }: TokenSource, { anew }: Wanted): string {
  return `${id} ${revision} ${anew}`
}

/** What the ciphertext is bound to besides the connection; no credential field can be called so. */
function fieldOf({ revision }: Connection): string {
  return `access token of revision ${revision}`
}

/** The token is the connection's, and everybody who may use that may use it. */
function scopeOf({ organization }: Connection): Scope {
  return organization === null ? systemScope : organizationScope(organization)
}

function late({ signal }: Deadline): NotSent {
  if (signal.aborted) return { effect: 'not_sent', code: 'network', message: 'The call was given up.' }
  return { effect: 'not_sent', code: 'call_timeout', message: 'No access token came in time.' }
}
