/** Records runs as tests of playbooks: the alert, what calls answered, what people decided. */
export type * from './document.ts'
export { recordTest } from './record.ts'
export { createRecordings, type Recordings } from './recordings.ts'
