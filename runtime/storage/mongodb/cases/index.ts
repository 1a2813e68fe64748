/** Cases and their timelines. Joins alerts to open cases. */
export { caseStore } from './cases.ts'
