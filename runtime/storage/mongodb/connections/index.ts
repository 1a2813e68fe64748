/** Connections with their sealed credentials, and access tokens with their leases. */
export { connectionStore } from './connections.ts'
export { tokenStore } from './tokens.ts'
