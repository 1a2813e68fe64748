/**
 * The journal of a run: what this execution appends (`run-journal.ts`), what earlier executions recorded
 * (`replay.ts`), the outcomes of its steps, and how long it waited for people.
 */
export type { RecordedWay } from './recorded-way.ts'
export { overMark, untilMark } from './replay.ts'
