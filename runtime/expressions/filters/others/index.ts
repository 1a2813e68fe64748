/** Digests, and `default`. */
export { defaultFilter } from './default.ts'
export { hmacSha256 } from './hmac-sha256.ts'
export { sha256 } from './sha256.ts'
