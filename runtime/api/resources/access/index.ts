/** Access to the API: keys, and signing in to the console. */
export { consoleSignInRoutes, type SignedInSchema } from './console-sign-in.ts'
export { type CreatedKeySchema, type KeySchema, keyRoutes } from './keys.ts'
