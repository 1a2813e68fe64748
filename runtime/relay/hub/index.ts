/** The runtime's end of the tunnel: lets agents in, knows which are connected, and opens streams through them. */
export { type AgentView, mostAgents, tokenLife } from './agents.ts'
export { Doorway } from './doorway.ts'
export type { Admission, AgentName } from './identity.ts'
export { OnlineAgent } from './online-agent.ts'
export { Relay } from './relay.ts'
export { Roster } from './roster.ts'
