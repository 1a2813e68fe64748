import type { AgentId, RemoteAgent } from '../../../domain/index.ts'

/** A remote agent. The public key and the hash of the token are unique where there is one. */
export interface AgentDocument extends Omit<RemoteAgent, 'id'> {
  readonly _id: AgentId
}
