/** What every store must do with the journals of runs, and the outputs that are too large for them. */
export { journalCases } from './journal.ts'
