/** Runs from claim to end: sleeping, cancelling, taking over, undoing; and the sessions of the processes that work on them. */
export { runEnder } from './run-end.ts'
export { runTools } from './run-tools.ts'
export { runStore } from './runs.ts'
export { sessionStore } from './sessions.ts'
