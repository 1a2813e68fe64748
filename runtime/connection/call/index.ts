/**
 * Calls skills with a connection. `skill-caller.ts` makes the calls of runs. `call-skill.ts` makes
 * any call, also manual ones: it checks expiry and role, then calls `runtime/plugin/`.
 * `pause-check.ts` is asked right before a write leaves.
 */
export type { CallDeps } from './deps.ts'
export { createSkillCaller } from './skill-caller.ts'
