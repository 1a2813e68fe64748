/** Caches in memory: one with a limited number of entries, and one whose values also expire. */
export { type BoundedCache, boundedCache } from './bounded-cache.ts'
export { TtlCache } from './ttl-cache.ts'
