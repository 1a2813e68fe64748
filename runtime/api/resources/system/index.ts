/** Routes of the process itself: its health, and the files of the console. */
export { consoleRoutes } from './console.ts'
export { healthRoutes } from './health.ts'
