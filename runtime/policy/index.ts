export { policySchema } from './grammar.ts'
export { Policies, type PolicyText, type Setter } from './policies.ts'
export { readPolicy, type SkillImpacts } from './read.ts'
