/**
 * Access tokens: asked for once (`ask.ts`), shared by all callers of a process and, sealed in the store, by all processes, and renewed before they end
 * (`access-tokens.ts`).
 */
export { AccessTokens } from './access-tokens.ts'
export { tokenSource } from './ask.ts'
export type { AccessToken, NotSent, TokenResult } from './types.ts'
