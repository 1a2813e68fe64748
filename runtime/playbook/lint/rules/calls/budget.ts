import { impactOf, overBudget } from '../../../impact/index.ts'
import type { Rule } from '../../rule.ts'

const counted = { high: 'high-impact calls', write: 'write calls', targets: 'different targets' } as const

/** Playbooks that could do more than they allow themselves. */
export const budget: Rule = {
  codes: ['impact_over_budget'],
  check({ plan, world }, report) {
    if (plan === null) return
    for (const { name, most, limit } of overBudget(plan, impactOf(plan, world))) {
      const count = most === Number.MAX_SAFE_INTEGER ? 'no end of' : String(most)
      report.at('impact_over_budget', ['limits', 'impact', name], `a run may come to ${count} ${counted[name]}, and the budget is ${limit}`)
    }
  },
}
