export { buildApi, buildHealthApi } from './api.ts'
export { hashKey, keyPrefix, newKeyValue } from './auth/key.ts'
export type { Api } from './context.ts'
export type * from './services.ts'
