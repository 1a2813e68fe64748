/** Decisions that runs wait for. */
export { decisionStore } from './decisions.ts'
