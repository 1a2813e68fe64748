/** Policies of organizations: their grammar, reading and setting them, and what they protect. */

export { type CurrentPolicies, currentPolicies } from './current-policies.ts'
export { policySchema } from './grammar.ts'
export { Policies, type ReadPolicy } from './policies.ts'
export { type Protection, protectionOf } from './protection.ts'
export { quotaText } from './quota-text.ts'
export { type KnownSkills, type PolicyRead, readPolicy } from './read.ts'
export type { QuotaReport } from './usage.ts'
