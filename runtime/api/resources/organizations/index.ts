/** Organizations, their policies, and the providers that alerts name. */
export { type PolicySchema, policyRoutes, type UsageSchema } from './policies.ts'
export { type PolicyCheckSchema, type PolicyRevisionSchema, policyTextRoutes } from './policy-texts.ts'
export { type ProviderSchema, providerRoutes } from './providers.ts'
export { type OrganizationSchema, organizationRoutes } from './routes.ts'
