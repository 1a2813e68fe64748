/** What a source posted, its status, and the alerts that only repeat an earlier one. */
export * from './alert.ts'
export * from './duplicate.ts'
export * from './outcome.ts'
