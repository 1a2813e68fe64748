/**
 * The remote agent and its tunnel: `link/` is what both ends share, `hub/` is the runtime's end, and `agent/` is the
 * process at the customer. docs/reference/agent-protocol.md describes what goes over the wire.
 */
export * from './hub/index.ts'
export { tunnelPath } from './link/index.ts'
