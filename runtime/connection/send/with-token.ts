import type { SendResult, SkillAnswer, StreamResult } from '../../plugin/index.ts'
import type { TokenGrant } from '../auth/index.ts'
import type { AccessToken, TokenResult } from '../tokens/index.ts'
import type { TimeLeft } from './time-left.ts'
import type { NotDone } from './types.ts'

/**
 * Stage: token. Sends a request with an access token. If the answer says that the token is no
 * longer valid, renews it and sends the request once more, unless a write's `sendBy` has passed.
 * That is safe for a write: a system that refuses the token has done nothing.
 * @param obtain gets a token that is newer than the given version
 */
export async function withToken<Result extends SendResult | StreamResult>(
  grant: Pick<TokenGrant, 'expired'>,
  obtain: (newerThan: number) => Promise<TokenResult>,
  time: TimeLeft,
  next: (token: AccessToken) => Promise<Result | NotDone>,
): Promise<Result | NotDone> {
  const first = await obtain(0)
  if (!first.ok) return first.failure
  const result = await next(first.token)
  const refusal = wholeAnswer(result)
  if (refusal === null || !grant.expired(refusal) || time.over()) return result
  const renewed = await obtain(first.token.version)
  return renewed.ok ? next(renewed.token) : renewed.failure
}

/** Returns the answer if there is one and it was read whole. */
function wholeAnswer(result: SendResult | StreamResult): SkillAnswer | null {
  if (result.effect !== 'done') return null
  if ('refusal' in result) return result.refusal
  return 'clean' in result.answer ? null : result.answer
}
