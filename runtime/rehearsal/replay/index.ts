export type { ChangedCall } from './calls.ts'
export { notReplayed, type Replayed, replayRun } from './replay.ts'
