/**
 * What the log says about external systems. `failure-log.ts` reports a system that fails once in a while instead of for each call; `call-log.ts` adds
 * odd answers.
 */
export { CallLog } from './call-log.ts'
