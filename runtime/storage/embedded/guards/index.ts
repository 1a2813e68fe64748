/** Pauses, the policies of organizations, and the calls that quotas have counted. */
export { pauseTable } from './pauses.ts'
export { policyTable } from './policies.ts'
export { quotaTable } from './quotas.ts'
export { keepStanding } from './standing-pauses.ts'
