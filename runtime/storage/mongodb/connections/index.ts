/** Connections with their encrypted credentials, and access tokens with their leases. */
export { connectionStore } from './connections.ts'
export { tokenStore } from './tokens.ts'
