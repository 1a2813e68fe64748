/** What every store must do with cases, their timelines, and joining an alert to an open case. */
export { caseMarkCases } from './case-marks.ts'
export { caseCases } from './cases.ts'
export { joinCases } from './joins.ts'
