/** Alerts: numbers and stores them, lists them, and finds those that wait for a run or repeat an earlier one. */
export { apartOf, inOrder, wantedOrganizations } from './alert-list.ts'
export { alertTables } from './alert-rows.ts'
export { alertTable } from './alerts.ts'
export { tellWhenSent } from './early-insert.ts'
export { Sealing, type SegmentTable, segmentTable } from './sealing.ts'
