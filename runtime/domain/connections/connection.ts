import type { ConnectionId, OrganizationId, PrincipalId } from '../ids.ts'
import type { Millis } from '../seams.ts'

/** A secret as it is stored: readable only in the vault. `v` and `key` say how it was encrypted. */
export interface Sealed {
  readonly v: 1
  /** Id of the vault key. */
  readonly key: string
  /** base64url of nonce, ciphertext and tag. */
  readonly data: string
}

/** What the last test of a connection found. Never holds a secret. */
export interface ConnectionTest {
  readonly ok: boolean
  /** The HTTP status that the external system answered; null when it did not. */
  readonly status: number | null
  /** What went wrong, or of a test that went well what is worth knowing; null: nothing. */
  readonly code: string | null
  readonly cause: string | null
  readonly remedy: string | null
  readonly checkedAt: Millis
  /** Whether the system answers at all, where the integration has a request for that; null: it has none. */
  readonly reachable: boolean | null
  /** What that request does not say. */
  readonly reachableNote: string | null
  /** The role that the credentials have, as the external system says; null: the integration has no request for that, or it says nothing known. */
  readonly role: string | null
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
  /** Slots that it serves before any other of the integration here, each `<playbook>.<slot>`. */
  readonly slots: readonly string[]
  /** After this the credentials count as expired. */
  readonly expiresAt: Millis | null
  /** The remote agent that shall reach the system; null: this runtime itself. */
  readonly remoteAgent: string | null
  /** The role that the credentials have in the external system, one of the integration's; null: not said. */
  readonly role: string | null
  /** Of the credentials as they stand; null: not tested since they were entered. */
  readonly lastTest: ConnectionTest | null
  /** Rises with every change; a test is none. */
  readonly revision: number
  readonly createdAt: Millis
  readonly createdBy: PrincipalId
  readonly modifiedAt: Millis
}
