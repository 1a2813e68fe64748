import type { Fault, FaultRule } from './faults.ts'

/** One setting of a simulator's failure switch. */
export interface Switch<Name extends string> {
  readonly failure: Name
  /** How many requests it applies to. Default: 1. */
  readonly times?: number
  readonly method?: string
  /** The start of the path. */
  readonly path?: string
  /** Seconds, for `rate_limited`. */
  readonly retryAfter?: number
  /** Milliseconds, for `slow`. */
  readonly milliseconds?: number
}

/** The faults on the way. They are the same for every simulator. */
export const onTheWay = ['slow', 'hold', 'cut_before_effect', 'cut_after_effect', 'cut_in_body'] as const
type OnTheWay = (typeof onTheWay)[number]

export function faultOnTheWay(name: OnTheWay, milliseconds = 1000): Fault {
  switch (name) {
    case 'slow':
      return { kind: 'slow', milliseconds }
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

export function ruleFor({ times, method, path }: Switch<string>, fault: Fault): FaultRule {
  return { fault, times: times ?? 1, ...(method !== undefined && { method }), ...(path !== undefined && { path }) }
}
