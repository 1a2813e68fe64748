import type { Fault, FaultRule } from '../faults.ts'
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
  'slow',
  'hold',
  'cut_before_effect',
  'cut_after_effect',
  'cut_in_body',
] as const
export type FailureName = (typeof failureNames)[number]

export interface Failure {
  readonly failure: FailureName
  /** How many requests it befalls; 1 unless given. */
  readonly times?: number
  readonly method?: string
  /** Beginning of the path. */
  readonly path?: string
  /** Of `rate_limited`, seconds; without it there is no Retry-After. */
  readonly retryAfter?: number
  /** Of `slow`. */
  readonly milliseconds?: number
}

export function ruleOf(failure: Failure): FaultRule {
  return {
    fault: faultOf(failure),
    times: failure.times ?? 1,
    ...(failure.method !== undefined && { method: failure.method }),
    ...(failure.path !== undefined && { path: failure.path }),
  }
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
    case 'slow':
      return { kind: 'slow', milliseconds: failure.milliseconds ?? 1000 }
    case 'hold':
      return { kind: 'hold' }
    case 'cut_before_effect':
      return { kind: 'cut', when: 'before_effect' }
    case 'cut_after_effect':
      return { kind: 'cut', when: 'after_effect' }
    case 'cut_in_body':
      return { kind: 'cut', when: 'in_body' }
  }
}
