import type { Fault, FaultRule } from '../faults.ts'
import { faultOnTheWay, onTheWay, ruleFor, type Switch } from '../switches.ts'

/** The names of the failure switches. `answerAs` sets the form of answers, including a wrong signature. */
export const failureNames = [
  'rate_limited',
  'server_error',
  'server_error_after_effect',
  'html',
  'plain_error',
  'transaction_failed',
  'permission_denied',
  'no_error_id',
  ...onTheWay,
] as const
type FailureName = (typeof failureNames)[number]

export type Failure = Switch<FailureName>

export function ruleOf(failure: Failure): FaultRule {
  return ruleFor(failure, faultOf(failure))
}

function plain(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Fault {
  return { kind: 'answer', reply: { status, headers, body: JSON.stringify(body) }, effect: 'none' }
}

function faultOf(failure: Failure): Fault {
  switch (failure.failure) {
    case 'rate_limited':
      return plain(429, {}, { 'retry-after': String(failure.retryAfter ?? 1) })
    case 'server_error':
      return plain(500, {})
    case 'server_error_after_effect':
      return { kind: 'answer', reply: { status: 500, body: '{}' }, effect: 'done' }
    case 'html':
      return {
        kind: 'answer',
        reply: { status: 200, headers: { 'content-type': 'text/html' }, body: '<html><title>Sign in</title></html>' },
        effect: 'none',
      }
    case 'plain_error':
      return plain(400, { errorId: 10564, errorMsg: 'User does not exist', uniqueMsgId: 'webs_plain' })
    case 'transaction_failed':
      return plain(400, { errorId: 10551, errorMsg: 'Failed transaction. Please retry', uniqueMsgId: 'webs_failed' })
    case 'permission_denied':
      return plain(403, { errorId: 403, errorMsg: 'Permission denied', uniqueMsgId: 'webs_denied' })
    case 'no_error_id':
      return plain(200, { status: 'fine' })
    default:
      return faultOnTheWay(failure.failure, failure.milliseconds)
  }
}
