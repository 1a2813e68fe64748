import type { ConnectionId, OrganizationId, PrincipalId } from './ids.ts'
import type { Millis } from './seams.ts'

/** A secret as it is stored: readable only in the vault. `v` and `key` say how it was encrypted. */
export interface Sealed {
  readonly v: 1
  /** Id of the vault key. */
  readonly key: string
  /** base64url of nonce, ciphertext and tag. */
  readonly data: string
}

/** Credentials for one external system (specification 2.4). */
export interface Connection {
  readonly id: ConnectionId
  /** Null: shared with every organization. */
  readonly organization: OrganizationId | null
  /** Unique within its organization. */
  readonly instance: string
  readonly integration: string
  readonly description: string
  /** The integration's plain credential fields. */
  readonly fields: Readonly<Record<string, string | number | boolean>>
  readonly secrets: Readonly<Record<string, Sealed>>
  /** The organization's choice for the integration where it has several. */
  readonly isDefault: boolean
  /** After this the credentials count as expired. */
  readonly expiresAt: Millis | null
  /** Rises with every change. */
  readonly revision: number
  readonly createdAt: Millis
  readonly createdBy: PrincipalId
  readonly modifiedAt: Millis
}
