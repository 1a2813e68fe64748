/**
 * Runs: claims, takes over, puts to sleep, cancels, undoes and ends them. Also the sessions of the processes
 * that execute them.
 */
export { runEnder } from './run-end.ts'
export { runTools } from './run-tools.ts'
export { runStore } from './runs.ts'
export { sessionStore } from './sessions.ts'
