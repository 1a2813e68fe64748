/**
 * Calls skills with a connection. `skill-caller.ts` makes the calls of runs. `call-skill.ts` makes
 * any call, also manual ones: it checks expiry and role, then calls `runtime/plugin/`.
 * `read-call.ts` reads for a fetch of alerts. `pause-check.ts` is asked right before a write leaves.
 */
export type { CallDeps } from './deps.ts'
export { createReadCalls, type ReadCall, type ReadCalls } from './read-call.ts'
export { createSkillCaller } from './skill-caller.ts'
