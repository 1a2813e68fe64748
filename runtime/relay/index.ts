/**
 * The remote agent and its tunnel: `link/` is what both ends share, `hub/` is the runtime's end, `neighbours/` the way to
 * agents of other processes, and `agent/` the process at the customer. docs/reference/agent-protocol.md describes what goes over the wire.
 */
export * from './hub/index.ts'
export { tunnelPath } from './link/index.ts'
export { type Directory, noOthers, openRedisDirectory } from './neighbours/index.ts'
