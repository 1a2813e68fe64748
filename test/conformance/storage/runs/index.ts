/** What every store must do with runs from claim to end: sleeping, cancelling, taking over, undoing; and the sessions of the processes that work on them. */
export { cancelCases } from './cancels.ts'
export { deathCases } from './deaths.ts'
export { runListCases } from './run-lists.ts'
export { runCases } from './runs.ts'
export { sessionCases } from './sessions.ts'
export { sleepingCases } from './sleeping.ts'
export { takeoverCases } from './takeovers.ts'
export { undoCases } from './undos.ts'
