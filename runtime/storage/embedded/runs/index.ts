/** Runs from claim to end: sleeping, cancelling, taking over, undoing; and the sessions of the processes that work on them. */
export { runTable } from './runs.ts'
export { sessionTable } from './sessions.ts'
