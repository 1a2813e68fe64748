/** Compiles the document of a playbook to a plan, and reports what keeps it from compiling. */
export { scalarAdvice } from './advice/index.ts'
export { type CompilerCode, compilerCodes, compilerFinding } from './codes/index.ts'
export { Enough } from './compilation.ts'
export {
  compilePlaybook,
  examinePlaybook,
  examiningPlaybook,
  type KnownPlaybook,
  type KnownSkill,
  noPlaybooks,
  type PlaybookSource,
  refusal,
  type SkillLookup,
} from './compile.ts'
export { findSteps, keysOf, renaming } from './names/index.ts'
export { type SlotUse, slotUsesIn } from './slots.ts'
export { namesRunBy, scriptsIn, sourcesOf, withPlaybooks } from './with-playbooks.ts'
