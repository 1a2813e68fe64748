import type { Plan, PlanStep, SkillStep } from '../../playbook/index.ts'
import { stepsOf } from '../plan-steps.ts'

/**
 * Tells whether the organization's policy may ask before the calls of a step: it can if no
 * `approve` covers the step and the calls change something.
 */
export function mayBeAsked(step: PlanStep | undefined): step is SkillStep {
  return step?.kind === 'skill' && step.approvals.length === 0
}

/**
 * Returns the skills that the policy asked about.
 *
 * @param steps the ids or addresses of the steps that people were asked about; others are ignored
 */
export function askedSkills(plan: Plan, steps: readonly string[]): readonly string[] {
  const known = stepsOf(plan)
  const asked = steps.flatMap((name) => {
    const step = known.get(idIn(name))
    return mayBeAsked(step) ? [`${step.integration}.${step.skill}`] : []
  })
  return [...new Set(asked)]
}

/** Returns the id of the step that an address ends with. */
export function idIn(address: string): string {
  return address.split('/').at(-1) ?? address
}
