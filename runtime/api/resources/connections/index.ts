/**
 * Connections: create, check, change, list, remove and test them, list their uses, and preview and run their
 * skills by hand. `integrations.ts` lists the loaded plugins.
 */
export { connectionCallRoutes, type ResultSchema } from './calls.ts'
export { type CheckedSchema, entryCheckRoute } from './check.ts'
export { type IntegrationSchema, integrationRoutes, type SkillSchema } from './integrations.ts'
export { type PreviewSchema, skillPreviewRoute } from './preview.ts'
export { connectionRoutes } from './routes.ts'
export { connectionUseRoutes, type UseSchema } from './uses.ts'
export type { ConnectionSchema, ConnectionTestSchema } from './view.ts'
