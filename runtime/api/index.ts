/**
 * The platform API over HTTP. `auth/` checks keys, `arrival/` holds requests back, `request/` reads them, `answer/` writes answers, and
 * `resources/` has a folder for each resource. `api.ts` puts them together.
 */
export { buildApi, buildHealthApi } from './api.ts'
export { hashKey, newKeyValue } from './auth/index.ts'
export type { Api } from './context.ts'
export type * from './services.ts'
export type * from './views.ts'
