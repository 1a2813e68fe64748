/** Cases, their timelines, and joining an alert to an open case. */
export { caseStore } from './cases.ts'
