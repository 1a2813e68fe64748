/** Fetches of alerts: the routes, and what they show. */
export { fetchRoutes } from './routes.ts'
export type { FetchSchema, FetchTrialSchema } from './view.ts'
