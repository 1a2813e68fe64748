import type { Connection, Millis } from '../../domain/index.ts'
import type { Egress, RouteOf } from '../../egress/index.ts'
import type { SendResult } from '../../plugin/index.ts'
import type { Answers } from '../answer/call-answers.ts'
import type { Granted } from '../auth/index.ts'
import type { RateLimiter } from '../rate/rate-limit.ts'
import type { Vault } from '../vault/vault.ts'

/** A request that was not sent, and why. */
export type NotSent = Exclude<SendResult, { readonly effect: 'done' }>

/** A decrypted access token. It exists in memory only; the store has it sealed. */
export interface AccessToken {
  /** The version of the stored token. */
  readonly version: number
  readonly text: string
  /** The members of the token answer, which `derived_origins` may name. */
  readonly members: Readonly<Record<string, string>>
  readonly expiresAt: Millis | null
}

export type TokenResult = { readonly ok: true; readonly token: AccessToken } | { readonly ok: false; readonly failure: NotSent }

/**
 * The result of asking a token endpoint. `refused`: it said no, and would say no again. `failed`: it may answer otherwise
 * soon. `not_asked`: nothing was sent to it.
 */
export type Asked =
  | { readonly ok: true; readonly granted: Granted }
  | { readonly ok: false; readonly failure: NotSent; readonly how: 'refused' | 'failed' | 'not_asked' }

/** What asking for a token needs from the process. */
export interface TokenDeps {
  readonly vault: Vault
  readonly egress: Egress
  readonly route: RouteOf
  readonly limiter: RateLimiter
  readonly answers: Answers
}

/** How to get tokens for one connection. */
export interface TokenSource {
  readonly connection: Connection
  /** The longest time that `ask` takes. */
  readonly patience: Millis
  /** Asks the external system. Failures are a result, not a rejection. */
  ask(): Promise<Asked>
}
