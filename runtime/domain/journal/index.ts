/**
 * The journal of a run: one entry for each append, with the records of what its steps did. `tried-writes.ts`
 * derives from it what the run has changed outside.
 */
export * from './effect.ts'
export * from './journal.ts'
export * from './tried-writes.ts'
