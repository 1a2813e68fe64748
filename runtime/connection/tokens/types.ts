import type { Connection, Millis } from '../../domain/index.ts'
import type { Egress } from '../../egress/index.ts'
import type { SendResult } from '../../plugin/index.ts'
import type { Answers } from '../answer/call-answers.ts'
import type { Granted } from '../auth/index.ts'
import type { RateLimiter } from '../rate/rate-limit.ts'
import type { Vault } from '../vault/vault.ts'

/** A request that was not sent, and why. */
export type NotSent = Exclude<SendResult, { readonly effect: 'done' }>

/** An access token, readable. It lives in memory only; what is stored is sealed. */
export interface AccessToken {
  /** Of the stored one. */
  readonly version: number
  readonly text: string
  /** Of the token answer: what `derived_origins` may name. */
  readonly members: Readonly<Record<string, string>>
  readonly expiresAt: Millis | null
}

export type TokenResult = { readonly ok: true; readonly token: AccessToken } | { readonly ok: false; readonly failure: NotSent }

/** What a token endpoint was asked for. `refused`: it said no, and would say no again. */
export type Asked = { readonly ok: true; readonly granted: Granted } | { readonly ok: false; readonly failure: NotSent; readonly refused: boolean }

/** What asking for a token needs of the process. */
export interface TokenMeans {
  readonly vault: Vault
  readonly egress: Egress
  readonly limiter: RateLimiter
  readonly answers: Answers
}

/** How the token of one connection is come by. */
export interface TokenSource {
  readonly connection: Connection
  /** The longest that `ask` takes. */
  readonly patience: Millis
  /** Asks the external system. Never rejects for what becomes of it. */
  ask(): Promise<Asked>
}
