/**
 * Creating, changing and listing connections. `credential-input.ts` checks what people entered; secrets are encrypted at once and never shown again.
 */
export { createConnections } from './connections.ts'
