/** Replays recorded runs with an edited playbook, and shows what would be different. */
export type { ChangedCall } from './calls.ts'
export { notReplayed, type Replayed, replayRun } from './replay.ts'
