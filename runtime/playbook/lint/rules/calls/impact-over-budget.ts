import { impactOf, overBudget } from '../../../impact/index.ts'
import { defineRule } from '../../rule.ts'

const counted = { high: 'high-impact calls', write: 'write calls', targets: 'different targets' } as const

export const impactOverBudget = defineRule({
  codes: {
    impact_over_budget: {
      severity: 'error',
      title: 'A run may exceed its impact budget',
      why: 'At its budget, a run fails with `impact_exceeded` before the next call, in the middle of its work. `tocsin playbook impact` shows what counts. Bound the loops, make branches exclude each other, or raise `limits.impact`.',
      wrong:
        "limits: { impact: { write: 10 } }\nsteps:\n  - id: each\n    foreach: '{{ inputs.users }}'\n    max_items: 50\n    steps:\n      - id: out\n        skill: mfa.suspend_mfa_user\n        with: { username: '{{ item }}' }",
      right:
        "limits: { impact: { write: 10 } }\nsteps:\n  - id: each\n    foreach: '{{ inputs.users }}'\n    max_items: 10\n    steps:\n      - id: out\n        skill: mfa.suspend_mfa_user\n        with: { username: '{{ item }}' }",
    },
  },
  check({ plan, world }, report) {
    if (plan === null) return
    for (const { name, most, limit } of overBudget(plan, impactOf(plan, world))) {
      const count = most === Number.MAX_SAFE_INTEGER ? 'unlimited' : String(most)
      report.at('impact_over_budget', ['limits', 'impact', name], `a run may make up to ${count} ${counted[name]}, and the budget is ${limit}`)
    }
  },
})
