/** The journals of runs, and the outputs that are too large for them. */
export { journalStore } from './journal.ts'
