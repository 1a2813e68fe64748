/**
 * Alerts: accept them one by one or in a batch, list, count and read them, and investigate them again.
 * `wait-for-end.ts` holds an answer until the investigation has ended (`Prefer: wait=N`).
 */
export { alertBatchRoute } from './batch.ts'
export { alertListRoute } from './list.ts'
export { rawAlertRoutes } from './raw.ts'
export { alertRoutes } from './routes.ts'
export type { AlertDetailsSchema, AlertItemSchema, RetryPreviewSchema } from './view.ts'
