import type { ConnectionId, OrganizationId, PrincipalId } from '../ids.ts'
import type { Millis } from '../seams.ts'

/** An encrypted secret as it is stored. Only the vault can read it. `v` and `key` say how it was encrypted. */
export interface Sealed {
  readonly v: 1
  /** Id of the vault key. */
  readonly key: string
  /** base64url of nonce, ciphertext and tag. */
  readonly data: string
}

/** The result of the last test of a connection. Never contains a secret. */
export interface ConnectionTest {
  readonly ok: boolean
  /** The HTTP status that the external system returned. Null if it did not answer. */
  readonly status: number | null
  /** What went wrong, or a remark about a successful test. Null if there is nothing to say. */
  readonly code: string | null
  readonly cause: string | null
  readonly remedy: string | null
  readonly checkedAt: Millis
  /** Whether the system answers at all. Null if the integration has no request for that. */
  readonly reachable: boolean | null
  /** What that request cannot tell. */
  readonly reachableNote: string | null
  /**
   * The credentials' role, as reported by the external system. Null if the integration has no request for
   * that, or the answer is not a known role.
   */
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
  /** The integration's credential fields that are not secret. */
  readonly fields: Readonly<Record<string, string | number | boolean>>
  readonly secrets: Readonly<Record<string, Sealed>>
  /** Whether the organization prefers this connection if it has several for the integration. */
  readonly isDefault: boolean
  /** Slots that use this connection before any other of the integration, each as `<playbook>.<slot>`. */
  readonly slots: readonly string[]
  /** From then on the credentials count as expired. */
  readonly expiresAt: Millis | null
  /** The remote agent that reaches the system. Null: this runtime reaches it itself. */
  readonly remoteAgent: string | null
  /** The role of the credentials in the external system, one of the integration's roles. Null if nobody has named it. */
  readonly role: string | null
  /** The test of the current credentials. Null if they have not been tested since they were entered. */
  readonly lastTest: ConnectionTest | null
  /** Rises with every change. A test is not a change. */
  readonly revision: number
  readonly createdAt: Millis
  readonly createdBy: PrincipalId
  readonly modifiedAt: Millis
}
