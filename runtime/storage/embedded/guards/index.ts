/** Pauses, the organizations' policies, and the calls that count against quotas. */
export { pauseTable } from './pauses.ts'
export { policyTable } from './policies.ts'
export { quotaTable } from './quotas.ts'
