export type * from './document.ts'
export { createRecordings, type Recordings } from './recordings.ts'
