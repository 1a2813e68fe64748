/** What every store must do with pauses, the policies of organizations, and the calls that count against quotas. */
export { heldCases } from './held.ts'
export { pauseCases } from './pauses.ts'
export { policyCases } from './policies.ts'
export { quotaCases } from './quotas.ts'
