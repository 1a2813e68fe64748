/** Connections with their sealed credentials, and access tokens with their leases. */
export { connectionTable } from './connections.ts'
export { tokenTable } from './tokens.ts'
