/**
 * Decides everything that a run needs before its claim: the playbook, the connections of its slots, the
 * case's title, the fingerprint.
 */

export { type Binding, bindSlots, pinnedSlot } from './bind-slots.ts'
export { type ConnectionUse, type ConnectionUses, createConnectionUses } from './connection-uses.ts'
export { CurrentConnections, changedConnection } from './current-connections.ts'
export { type PreparedRun, RunPreparer } from './prepare-run.ts'
