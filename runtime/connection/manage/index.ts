/**
 * Creates, changes and lists connections. `credential-input.ts` checks what people entered. Secrets
 * are encrypted at once and never shown again.
 */
export { createConnections } from './connections.ts'
