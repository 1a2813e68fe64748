import type { SkillLookup } from '../compile/index.ts'
import type { Plan } from '../plan.ts'
import { Calls } from './calls.ts'
import { declaredIn } from './declared.ts'
import { effectOfSteps, type Survey } from './effect-of-steps.ts'
import { Place } from './place.ts'
import { countOf } from './targets.ts'
import type { Impact } from './types.ts'

export { overBudget } from './budget.ts'
export type { Impact, SkillImpact } from './types.ts'

/**
 * Returns the most that one run of a playbook can do.
 *
 * - Of branches, the larger counts, for each number by itself.
 * - Steps that run one after the other or at the same time add up. So do the steps of `on_error`.
 * - An `if` on a step changes nothing: the step counts.
 * - A loop counts `max_items` times.
 * - A retry is not another call.
 * - Steps after a certain `stop` do not count.
 *
 * @param lookup the lookup that the plan was compiled with
 */
export function impactOf(plan: Plan, lookup: SkillLookup): Impact {
  const survey: Survey = { lookup, calls: new Calls(), unbounded: new Set() }
  const { any } = effectOfSteps(survey, plan.steps, Place.first(plan, declaredIn(plan), lookup.filters()))
  return {
    high: any.high,
    write: any.write,
    read: any.read,
    targets: countOf(any.targets),
    skills: survey.calls.list(any),
    unbounded: [...survey.unbounded],
  }
}
