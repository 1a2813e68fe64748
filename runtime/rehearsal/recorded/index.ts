/** Reads what runs have recorded: the alert, the answers to calls, and what people decided. The API loads only this part of the room. */
export { slotsOf } from '../plan-steps.ts'
export type * from './document.ts'
export { createRecordings, decisionsOf, type Recordings } from './recordings.ts'
