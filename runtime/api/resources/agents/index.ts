/** Remote agents: create, list, check and revoke them. `tunnel.ts` takes over their connections. */
export { agentRoutes } from './routes.ts'
export { agentTunnel, isTunnel } from './tunnel.ts'
export type { AgentSchema, AgentWithTokenSchema } from './view.ts'
