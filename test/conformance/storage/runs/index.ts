/**
 * What every store must do with runs: claim, take over, put to sleep, cancel, undo and end them. Also with
 * the sessions of the processes that execute them.
 */
export { cancelCases } from './cancels.ts'
export { deathCases } from './deaths.ts'
export { runListCases } from './run-lists.ts'
export { runCases } from './runs.ts'
export { sessionCases } from './sessions.ts'
export { sleepingCases } from './sleeping.ts'
export { takeoverCases } from './takeovers.ts'
export { undoCases } from './undos.ts'
