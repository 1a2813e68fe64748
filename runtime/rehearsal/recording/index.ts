/** Makes tests from recorded runs (`recorded/`). */
export { type RecordedTest, recordTest } from './record.ts'
