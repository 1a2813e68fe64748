/**
 * Connections to external systems: their credentials, access tokens and rate limits, and every call
 * made with them. Only this room decrypts secrets. It asks `runtime/plugin/` what to send, and
 * `runtime/egress/` to send it.
 */
export * from './answer/index.ts'
export * from './call/index.ts'
export * from './log/index.ts'
export * from './manage/index.ts'
export * from './manual-calls/index.ts'
export * from './rate/index.ts'
export { Detections } from './send/index.ts'
export { AccessTokens } from './tokens/index.ts'
export type * from './types.ts'
export * from './vault/index.ts'
