/** What every store must do with fetches of alerts. */

export { fetchCases } from './fetches.ts'
export { fetchLeaseCases } from './leases.ts'
