/** What every store must do with connections with their sealed credentials, and access tokens with their leases. */
export { connectionCases } from './connections.ts'
export { tokenCases } from './tokens.ts'
