/** Makes tests from recorded runs: the alert, the answers to calls, and what people decided. */
export type * from './document.ts'
export { type RecordedTest, recordTest } from './record.ts'
export { createRecordings, decisionsOf, type Recordings } from './recordings.ts'
