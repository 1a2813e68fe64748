import { type OverLimit, overLimits } from '../../domain/index.ts'
import type { Plan } from '../plan.ts'
import type { Impact } from './types.ts'

/** A number by which a run could exceed the playbook's own `limits.impact`. */
export type OverBudget = OverLimit

/**
 * Returns where the worst case exceeds the playbook's impact budget. Empty if it never does, or if
 * there is no budget.
 */
export function overBudget({ limits }: Plan, impact: Impact): readonly OverBudget[] {
  return overLimits(limits.impact, impact)
}
