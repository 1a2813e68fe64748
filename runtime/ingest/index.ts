export { HandOver } from './hand-over.ts'
export { createIngest } from './ingest.ts'
export { createInvestigations } from './investigations.ts'
export type * from './types.ts'
