/**
 * One call of a skill: renders and checks its input, sends it, and sends a read again if it fails. For writes
 * see `write/`.
 */
export type { SkillCall, SkillCaller } from './skill-caller.ts'
