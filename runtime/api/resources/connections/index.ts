/** Connections: create, change, list, remove and test them, and run skills on them by hand. `integrations.ts` lists the loaded plugins. */
export { connectionCallRoutes } from './calls.ts'
export { integrationRoutes } from './integrations.ts'
export { connectionRoutes } from './routes.ts'
