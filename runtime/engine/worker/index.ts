/**
 * Takes jobs from the queue and works on their runs in this process: one session, the job runner, and the
 * sweeper that repairs what a crash or a lost queue left behind.
 */
export { EndWatch } from './end-watch.ts'
export { Sweeper } from './sweeper.ts'
export { startWorker, type Worker } from './worker.ts'
