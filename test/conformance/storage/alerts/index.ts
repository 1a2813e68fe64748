/**
 * What every store must do with alerts: number and store them, list them, and find those that wait for a run
 * or repeat an earlier one.
 */
export { alertFilterCases } from './alert-filters.ts'
export { alertListCases } from './alert-lists.ts'
export { alertCases } from './alerts.ts'
export { duplicateCases } from './duplicates.ts'
export { retryCases } from './retries.ts'
