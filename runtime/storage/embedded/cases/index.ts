/** Cases and their timelines. Joins alerts to open cases. */
export { caseTable } from './cases.ts'
