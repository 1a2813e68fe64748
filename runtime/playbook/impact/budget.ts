import type { Plan } from '../plan.ts'
import type { Impact } from './types.ts'

/** What a run could do beyond the playbook's own `limits.impact`. */
export interface OverBudget {
  readonly name: 'high' | 'write' | 'targets'
  readonly most: number
  readonly limit: number
}

/** Where the worst case is more than the playbook allows itself; empty where it has no budget, or keeps to it. */
export function overBudget({ limits }: Plan, impact: Impact): readonly OverBudget[] {
  return (['high', 'write', 'targets'] as const).flatMap((name) => {
    const limit = limits.impact[name]
    return limit !== null && impact[name] > limit ? [{ name, most: impact[name], limit }] : []
  })
}
