/**
 * What the log says about external systems. `failure-log.ts` sums up the failures of a system, so
 * that an outage does not fill the log. `call-log.ts` adds answers that do not match their schema,
 * and manual writes in doubt.
 */
export { CallLog } from './call-log.ts'
