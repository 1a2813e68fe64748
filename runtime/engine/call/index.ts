/** One call of a skill: its input is rendered and checked, it is sent, and a read is sent again when it fails. For writes see `write/`. */
export type { SkillCall, SkillCaller } from './skill-caller.ts'
