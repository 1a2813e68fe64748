/** Turns the texts of active playbooks into plans, and caches the texts that it read. */
export { compilePlan } from './compile-plan.ts'
export { type ReadText, ReadTexts } from './read-texts.ts'
