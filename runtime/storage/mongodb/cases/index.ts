/** Cases, their timelines, and the index of what they say. Joins alerts to open cases. */
export { caseStore } from './cases.ts'
export { CaseSealing } from './words/index.ts'
