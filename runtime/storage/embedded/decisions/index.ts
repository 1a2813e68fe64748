/** Decisions that runs wait for. */
export { decisionTable } from './decisions.ts'
