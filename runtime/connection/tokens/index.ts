export { AccessTokens } from './access-tokens.ts'
export { tokenSource } from './ask.ts'
export type { AccessToken, NotSent, TokenResult } from './types.ts'
