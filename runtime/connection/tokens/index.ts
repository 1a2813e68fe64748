/**
 * Access tokens. `ask.ts` requests one. `access-tokens.ts` shares it with all callers of the
 * process and, sealed in the store, with all processes, and renews it before it expires.
 */
export { AccessTokens } from './access-tokens.ts'
export { tokenSource } from './ask.ts'
export type { AccessToken, NotSent, TokenResult } from './types.ts'
