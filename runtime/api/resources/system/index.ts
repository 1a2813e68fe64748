/** Routes of the process itself: its health, its version, and the files of the console. */
export { consoleRoutes } from './console.ts'
export { healthRoutes } from './health.ts'
export { type VersionSchema, versionRoute } from './version.ts'
