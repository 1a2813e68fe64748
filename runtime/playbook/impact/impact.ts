import type { SkillLookup } from '../compile/index.ts'
import type { Plan } from '../plan.ts'
import { Calls } from './calls.ts'
import { declaredIn } from './declared.ts'
import { Place } from './place.ts'
import { countOf } from './targets.ts'
import type { Impact } from './types.ts'
import { effectOfSteps, type Survey } from './walk.ts'

export { overBudget } from './budget.ts'
export type { Impact, SkillImpact } from './types.ts'

/**
 * The most that one run of a playbook can do.
 *
 * Of branches the larger counts, number by number; what follows one another or runs side by side adds up, and so do the steps of an `on_error`; a guard
 * (`if` on a step) changes nothing; a loop counts its `max_items` times; a retry is no further call; nothing counts after a `stop` that is certain.
 * @param lookup the one that the plan was compiled with
 */
export function impactOf(plan: Plan, lookup: SkillLookup): Impact {
  const survey: Survey = { lookup, calls: new Calls(), unbounded: new Set() }
  const { any } = effectOfSteps(survey, plan.steps, Place.first(declaredIn(plan), lookup.filters()))
  return {
    high: any.high,
    write: any.write,
    read: any.read,
    targets: countOf(any.targets),
    skills: survey.calls.list(any),
    unbounded: [...survey.unbounded],
  }
}
