import type { Connection, ConnectionId, Sealed, TokenRefusal } from '../../../domain/index.ts'

/** A connection's access token, with the lease and the refusal of its renewal. Dates are those of the server's clock. */
export interface AccessDocument {
  /** Absent before the first token, as `sealed` and `expiresAt` are. */
  readonly version?: number
  readonly sealed?: Sealed
  readonly expiresAt?: number | null
  readonly holder?: string
  readonly leasedUntil?: Date
  readonly refusal?: TokenRefusal
  readonly refusedUntil?: Date
}

/** A connection. (organization, instance) is unique, and among defaults (organization, integration). For shared connections, organization is null. */
export interface ConnectionDocument extends Omit<Connection, 'id'> {
  readonly _id: ConnectionId
  /** In this document, so that a write that replaces or removes the connection also removes its token. */
  readonly access?: AccessDocument
}
