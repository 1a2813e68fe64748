/**
 * Calls of skills with a connection. `skill-caller.ts` makes the calls of runs; `call-skill.ts` makes any call, by hand as well: it checks expiry and
 * role, then hands over to `runtime/plugin/`. `pause-check.ts` is what a write asks before it leaves.
 */
export type { Means } from './means.ts'
export { createSkillCaller } from './skill-caller.ts'
