/** The journals of runs, and outputs that are too large for a journal. */
export { journalStore } from './journal.ts'
