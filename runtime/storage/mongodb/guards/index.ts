/** Pauses, the policies of organizations, and the calls that quotas have counted. */
export { pauseStore } from './pauses.ts'
export { policyStore } from './policies.ts'
export { quotaStore } from './quotas.ts'
