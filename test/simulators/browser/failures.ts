import type { Fault, FaultRule } from '../faults.ts'
import { faultOnTheWay, onTheWay, ruleFor, type Switch } from '../switches.ts'
import { htmlPage, noSuchEndpoint, refusal, tooMany, unauthorized } from './replies.ts'

/** The simulator's failure switches by name. */
export const failureNames = [
  'unauthorized',
  'blocked',
  'gateway_unknown_path',
  'rate_limited',
  'server_error',
  'server_error_after_effect',
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
  const serverError = refusal(500, 'Internal server error')
  switch (failure.failure) {
    case 'unauthorized':
      return { kind: 'answer', reply: unauthorized, effect: 'none' }
    case 'blocked':
      return { kind: 'answer', reply: refusal(403, 'Forbidden'), effect: 'none' }
    case 'gateway_unknown_path':
      return { kind: 'answer', reply: noSuchEndpoint, effect: 'none' }
    case 'rate_limited':
      return { kind: 'answer', reply: tooMany(failure.retryAfter ?? null), effect: 'none' }
    case 'server_error':
      return { kind: 'answer', reply: serverError, effect: 'none' }
    case 'server_error_after_effect':
      return { kind: 'answer', reply: serverError, effect: 'done' }
    case 'html':
      return { kind: 'answer', reply: htmlPage(200, 'Sign in'), effect: 'none' }
    default:
      return faultOnTheWay(failure.failure, failure.milliseconds)
  }
}
