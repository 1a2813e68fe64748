import type { AgentId, OrganizationId, PrincipalId } from '../ids.ts'
import type { Millis } from '../seams.ts'

/** A process at a customer that carries connections to systems that only it can reach. */
export interface RemoteAgent {
  readonly id: AgentId
  /** Null: the operator's. Connections use only agents of their own organization, and shared connections those of the operator. */
  readonly organization: OrganizationId | null
  /** What connections name (`remoteAgent`). Several agents of one owner may have the same name, and share its calls. */
  readonly name: string
  /** The token with which the agent enrols, once. Null: it was used. */
  readonly enrolment: { readonly hash: string; readonly expiresAt: Millis } | null
  /** The raw Ed25519 key, as base64url. Only the agent has the private key. Null: not enrolled yet. */
  readonly publicKey: string | null
  readonly enrolledAt: Millis | null
  readonly createdAt: Millis
  readonly createdBy: PrincipalId
  readonly revokedAt: Millis | null
  /** When it connected last, or its last connection ended, and its version then. Null: never. */
  readonly lastSeen: { readonly at: Millis; readonly version: string } | null
}
