/**
 * What every store must do with connections and their encrypted credentials, and with access tokens and their
 * leases.
 */
export { agentCases } from './agents.ts'
export { connectionCases } from './connections.ts'
export { tokenCases } from './tokens.ts'
