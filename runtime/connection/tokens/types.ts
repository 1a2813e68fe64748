import type { Connection, Millis } from '../../domain/index.ts'
import type { SendResult } from '../../plugin/index.ts'
import type { Granted } from '../auth/index.ts'

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

/** How the token of one connection is come by. */
export interface TokenSource {
  readonly connection: Connection
  /** The longest that `ask` takes. */
  readonly patience: Millis
  /** Asks the external system. Never rejects for what becomes of it. */
  ask(): Promise<Asked>
}
