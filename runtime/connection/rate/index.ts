/**
 * The rate limit of an external system. `rate-limit.ts` gives each request its permit to leave.
 * Until then the request waits in `rate-queue.ts`, where runs take turns. Connections with the same
 * credentials share one limit (`rate-key.ts`).
 */
export { RateLimiter } from './rate-limit.ts'
