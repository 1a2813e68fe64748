import type { Fault, FaultRule } from './faults.ts'

/** One flip of a simulator's failure switch. */
export interface Switch<Name extends string> {
  readonly failure: Name
  /** How many requests it befalls; 1 unless given. */
  readonly times?: number
  readonly method?: string
  /** Beginning of the path. */
  readonly path?: string
  /** Of `rate_limited`, seconds. */
  readonly retryAfter?: number
  /** Of `slow`. */
  readonly milliseconds?: number
}

/** What goes wrong on the way, the same whatever is simulated. */
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
