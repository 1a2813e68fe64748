/** Access to the API: keys, signing in to the console, and the audit log. */
export { type ActSchema, auditRoute } from './audit.ts'
export { consoleSignInRoutes, type SignedInSchema } from './console-sign-in.ts'
export { type CreatedKeySchema, type KeySchema, keyRoutes } from './keys.ts'
