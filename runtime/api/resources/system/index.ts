/** Routes of the process itself: its health, its metrics, its version, and the files of the console. */
export { consoleRoutes } from './console.ts'
export { healthRoutes } from './health.ts'
export { metricsRoute } from './metrics.ts'
export { type VersionSchema, versionRoute } from './version.ts'
