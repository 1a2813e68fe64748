/** The journals of runs, and the outputs that are too large for them. */
export { journalTable } from './journal.ts'
