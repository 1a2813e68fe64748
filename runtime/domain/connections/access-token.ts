import type { Millis } from '../seams.ts'
import type { Connection, Sealed } from './connection.ts'

/** One revision of one connection. An access token belongs to the credentials that it was obtained with. */
export type ConnectionRevision = Pick<Connection, 'id' | 'revision'>

/** An access token as it is stored. */
export interface KeptToken {
  /** 1 for the first token of a connection's revision. Each new token has the next number. */
  readonly version: number
  readonly sealed: Sealed
  /**
   * Not used from this time on, by the clock of the process that obtained it. Null: used until the external
   * system refuses it.
   */
  readonly expiresAt: Millis | null
}

/** Why the external system gave no access token. Never contains a secret. */
export interface TokenRefusal {
  readonly code: string
  readonly message: string
  readonly remedy: string | null
  /** The vendor's own identifiers of the failed request. */
  readonly vendor?: Readonly<Record<string, string | number>>
}
