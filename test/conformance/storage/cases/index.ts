/** What every store must do with cases and their timelines, and when alerts join open cases. */
export { caseMarkCases } from './case-marks.ts'
export { caseCases } from './cases.ts'
export { caseDeskCases } from './desk.ts'
export { joinCases } from './joins.ts'
