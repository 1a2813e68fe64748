/**
 * One call of a skill: `call.ts` checks the input, sends the request or runs the handler, and returns the result. The other files are what a call
 * needs around that: the probes of a connection, time-outs, the wait before a retry, the targets of a write.
 */
export { callSkill } from './call.ts'
export type * from './call-host.ts'
export type * from './call-result.ts'
export { detectedIn, detectionRequest } from './detect.ts'
export { callProbe, callRoleFrom, type FoundRole, warningOf } from './probe.ts'
export { nextDelay } from './retry.ts'
export { targetsOf } from './targets.ts'
export { timeoutOf } from './timeout.ts'
