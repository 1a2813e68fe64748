import type { Fault, FaultRule } from '../faults.ts'
import { faultOnTheWay, onTheWay, ruleFor, type Switch } from '../switches.ts'
import { errorReply, htmlPage, notForRest, sessionExpired } from './replies.ts'

/** The names of the failure switches. `setTokenPolicy` sets what the token endpoint refuses. */
export const failureNames = [
  'session_expired',
  'not_for_rest',
  'request_limit',
  'insufficient_access',
  'api_disabled',
  'rate_limited',
  'query_timeout',
  'server_error',
  'server_error_after_effect',
  'unavailable',
  'html',
  ...onTheWay,
] as const
type FailureName = (typeof failureNames)[number]

/** With `rate_limited`, an answer without `retryAfter` has no Retry-After header. */
export type Failure = Switch<FailureName>

export function ruleOf(failure: Failure): FaultRule {
  return ruleFor(failure, faultOf(failure))
}

function faultOf(failure: Failure): Fault {
  const serverError = errorReply(500, 'UNKNOWN_EXCEPTION', 'An unexpected error occurred. Please include this ErrorId if you contact support: 1234')
  const answer = (reply: ReturnType<typeof errorReply>): Fault => ({ kind: 'answer', reply, effect: 'none' })
  switch (failure.failure) {
    case 'session_expired':
      return answer(sessionExpired)
    case 'not_for_rest':
      return answer(notForRest)
    case 'request_limit':
      return answer(errorReply(403, 'REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded.'))
    case 'insufficient_access':
      return answer(errorReply(403, 'INSUFFICIENT_ACCESS', 'insufficient access rights on object id'))
    case 'api_disabled':
      return answer(errorReply(403, 'API_DISABLED_FOR_ORG', 'The REST API is not enabled for this Organization or this user.'))
    case 'rate_limited': {
      const reply = errorReply(429, 'TOO_MANY_REQUESTS', 'Too many requests')
      return answer({
        ...reply,
        headers: { ...reply.headers, ...(failure.retryAfter !== undefined && { 'retry-after': String(failure.retryAfter) }) },
      })
    }
    case 'query_timeout':
      return answer(errorReply(500, 'QUERY_TIMEOUT', 'Your query request was running for too long.'))
    case 'server_error':
      return answer(serverError)
    case 'server_error_after_effect':
      return { kind: 'answer', reply: serverError, effect: 'done' }
    case 'unavailable':
      return answer(errorReply(503, 'SERVER_UNAVAILABLE', 'Server is temporarily unavailable'))
    case 'html':
      return answer(htmlPage(200, 'Sign in'))
    default:
      return faultOnTheWay(failure.failure, failure.milliseconds)
  }
}
