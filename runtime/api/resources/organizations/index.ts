/** Organizations, their policies, and the providers that alerts name. */
export { policyRoutes } from './policies.ts'
export { providerRoutes } from './providers.ts'
export { organizationRoutes } from './routes.ts'
