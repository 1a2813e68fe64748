import { type OverLimit, overLimits } from '../../domain/index.ts'
import type { Plan } from '../plan.ts'
import type { Impact } from './types.ts'

/** What a run could do beyond the playbook's own `limits.impact`. */
export type OverBudget = OverLimit

/** Where the worst case is more than the playbook allows itself; empty where it has no budget, or keeps to it. */
export function overBudget({ limits }: Plan, impact: Impact): readonly OverBudget[] {
  return overLimits(limits.impact, impact)
}
