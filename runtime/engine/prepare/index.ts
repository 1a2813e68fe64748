/**
 * Decides everything that a run needs before its claim: the playbook, the connections of its slots, the
 * case's title, the fingerprint.
 */
export { bindSlots, pinnedSlot } from './bind-slots.ts'
export { type PreparedRun, RunPreparer } from './prepare-run.ts'
