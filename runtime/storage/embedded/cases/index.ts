/** Cases and their timelines. Joins alerts to open cases. Finds cases by what they say. */
export { caseTable } from './cases.ts'
export { type CaseIndex, CaseSealing, CaseSegments, caseIndex } from './words/index.ts'
