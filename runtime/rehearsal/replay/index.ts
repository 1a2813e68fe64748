export type { ChangedCall } from './calls.ts'
export { type Replayed, replayRun } from './replay.ts'
