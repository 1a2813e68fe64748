/** How a run ends: its outcome, what case and log say about it, and whether another attempt follows. */
export { caseSteps } from './case-steps.ts'
