import type { Connection, ConnectionId, Sealed, TokenRefusal } from '../../../domain/index.ts'

/** A connection's access token, with the lease and the refusal of its renewal. Dates are server time. */
export interface AccessDocument {
  /** Absent before the first token. So are `sealed` and `expiresAt`. */
  readonly version?: number
  readonly sealed?: Sealed
  readonly expiresAt?: number | null
  readonly holder?: string
  readonly leasedUntil?: Date
  readonly refusal?: TokenRefusal
  readonly refusedUntil?: Date
}

/**
 * A connection. (organization, instance) is unique. So is (organization, integration) among default
 * connections. Shared connections have organization null.
 */
export interface ConnectionDocument extends Omit<Connection, 'id'> {
  readonly _id: ConnectionId
  /** Part of this document, so that a write that replaces or removes the connection also removes its token. */
  readonly access?: AccessDocument
}
