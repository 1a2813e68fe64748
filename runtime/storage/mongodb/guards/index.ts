/** Pauses, the organizations' policies, and the calls that count against quotas. */
export { pauseStore } from './pauses.ts'
export { policyStore } from './policies.ts'
export { quotaStore } from './quotas.ts'
