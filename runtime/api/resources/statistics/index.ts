/** Figures about the alerts and runs of the last hours, for dashboards. */
export { statisticsRoutes } from './routes.ts'
export type { StatisticsSchema } from './view.ts'
