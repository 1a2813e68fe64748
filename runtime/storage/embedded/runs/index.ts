/**
 * Runs: claims, takes over, puts to sleep, cancels, undoes and ends them. Also the sessions of the processes
 * that execute them.
 */
export { claimBeforeCommit } from './early-claim.ts'
export { runTable } from './runs.ts'
export { sessionTable } from './sessions.ts'
