/** What every store must do with alerts: numbering and storing them, their lists, which wait for a run, and which repeat an earlier one. */
export { alertListCases } from './alert-lists.ts'
export { alertCases } from './alerts.ts'
export { duplicateCases } from './duplicates.ts'
export { retryCases } from './retries.ts'
