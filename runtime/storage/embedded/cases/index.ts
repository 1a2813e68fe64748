/** Cases, their timelines, and joining an alert to an open case. */
export { caseTable } from './cases.ts'
