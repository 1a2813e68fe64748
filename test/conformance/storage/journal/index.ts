/** What every store must do with the journals of runs, and with outputs that are too large for a journal. */
export { journalCases } from './journal.ts'
