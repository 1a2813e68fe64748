/**
 * Accepts alerts: finds the organization and provider, makes the name, stores alerts in batches, and hands them
 * to the queue. `ingest.ts` is the start; `hand-over.ts` is the end.
 */
export { type AlertFields, alertFieldsOf } from './alert-fields.ts'
export { GivenAlerts } from './given-alerts.ts'
export { HandOver } from './hand-over.ts'
export { createIngest } from './ingest.ts'
export { createInvestigations } from './investigations.ts'
export { RecentAlerts } from './recent-alerts.ts'
export type * from './types.ts'
