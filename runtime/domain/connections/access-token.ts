import type { Millis } from '../seams.ts'
import type { Connection, Sealed } from './connection.ts'

/** One revision of one connection: an access token belongs to the credentials that it was obtained with. */
export type ConnectionRevision = Pick<Connection, 'id' | 'revision'>

/** An access token as it is stored. */
export interface KeptToken {
  /** 1 for the first of a connection's revision, and one more for each that replaces it. */
  readonly version: number
  readonly sealed: Sealed
  /** From then on it is not used any more, by the clock of the process that obtained it; null: until the external system says so. */
  readonly expiresAt: Millis | null
}

/** Why the external system gave no access token. Never holds a secret. */
export interface TokenRefusal {
  readonly code: string
  readonly message: string
  readonly remedy: string | null
  /** The vendor's own identifiers of the failed request. */
  readonly vendor?: Readonly<Record<string, string | number>>
}
