/** Connections with their encrypted credentials, and access tokens with their leases. */
export { connectionTable } from './connections.ts'
export { tokenTable } from './tokens.ts'
