import { boundedCache } from '../../caches/index.ts'
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
import { Rests } from './rests.ts'
import type { AccessToken, NotSent, TokenResult, TokenSource } from './types.ts'

/** How much longer than its request a lease lasts. */
const leaseMargin: Millis = 5_000
/** How often the store is checked for a token that another process gets. */
const pollEvery: Millis = 200
/**
 * How long a refusal is remembered. Not every call may try a wrong secret: some systems lock an
 * account for that.
 */
const refusalRemembered: Millis = 30_000
/** A token is renewed this long before it expires, or after 90% of its lifetime, whichever is later. */
const renewBefore: Millis = 30_000
const maxHeld = 10_000

/** Which token the caller accepts. */
export interface Wanted {
  /** Only a token newer than this version. 0 accepts any. */
  readonly newerThan: number
  /**
   * Set if the token must be requested now, even if the system has just refused. A manual test of a
   * connection wants this.
   */
  readonly anew: boolean
}

interface Held {
  readonly revision: number
  readonly token: AccessToken
}

/**
 * The access tokens of connections. Tokens in use are kept in memory, and sealed in the store
 * (docs/decisions/0010). All callers in this process share one renewal, and all processes share one
 * lease.
 */
export class AccessTokens {
  readonly #store: TokenStore
  readonly #vault: Vault
  readonly #clock: Clock
  readonly #ids: Ids
  readonly #held = boundedCache<ConnectionId, Held>(maxHeld)
  readonly #rests: Rests
  readonly #flights = new Map<string, Promise<TokenResult>>()

  constructor(store: TokenStore, vault: Vault, clock: Clock, ids: Ids) {
    this.#store = store
    this.#vault = vault
    this.#clock = clock
    this.#ids = ids
    this.#rests = new Rests(clock)
  }

  /**
   * Returns a token of the connection, or why there is none. The deadline is only this caller's.
   * Others go on waiting for the same renewal.
   */
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
      // The renewal that this call joined may have replaced an older token than the one refused now.
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
    // The caller that began it may have stopped waiting before it fails.
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

    const resting = anew ? null : await this.#rests.pass(connection)
    if (resting) return { ok: false, failure: resting }
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
        throw new TocsinError(
          'connection_changed',
          `The connection ${connection.instance} was changed or removed while its access token was being renewed.`,
        )
      await this.#clock.sleep(pollEvery)
    }
    throw new TocsinError('call_timeout', `Another process began to renew the access token of ${connection.instance} but did not finish in time.`)
  }

  /**
   * Asks for a token and stores it.
   * @returns null if the lease was lost meanwhile. Another process then keeps the token
   */
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
      await release(asked.how === 'refused' ? { refusal, duration: refusalRemembered } : null)
      if (asked.how === 'failed') this.#rests.begin(connection, asked.failure)
      return asked
    }
    const { token: text, lifetime, members } = asked.granted
    const sealed = this.#vault.seal(connection.id, fieldOf(connection), JSON.stringify({ text, members }))
    const expiresAt = lifetime === null ? null : Math.floor(began + lifetime - Math.min(renewBefore, lifetime / 10))
    this.#rests.end(connection)
    const kept = await this.#store.put(scope, connection, holder, { sealed, expiresAt })
    return kept && this.#keep(connection, { version: kept.version, text, members, expiresAt })
  }

  /** Returns null if the token cannot be decrypted, because it was sealed with another key. */
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

/** Returns the name that the token's ciphertext is bound to. No credential field can have such a name. */
function fieldOf({ revision }: Connection): string {
  return `access token of revision ${revision}`
}

/** Returns the scope of a token: that of its connection. Everybody who may use the connection may use the token. */
function scopeOf({ organization }: Connection): Scope {
  return organization === null ? systemScope : organizationScope(organization)
}

function late({ signal }: Deadline): NotSent {
  if (signal.aborted) return { effect: 'not_sent', code: 'network', message: 'The call was abandoned.' }
  return { effect: 'not_sent', code: 'call_timeout', message: 'No access token arrived in time.' }
}
