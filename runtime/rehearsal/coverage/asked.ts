import type { Plan, PlanStep, SkillStep } from '../../playbook/index.ts'
import { stepsOf } from '../plan-steps.ts'

/** Whether the organization's policy may ask before the calls of a step, if they change something: no `approve` covers it. */
export function mayBeAsked(step: PlanStep | undefined): step is SkillStep {
  return step?.kind === 'skill' && step.approvals.length === 0
}

/** The skills that the policy asked about, of the steps whose calls people were asked about. @param steps ids or addresses; those of other steps do not matter */
export function askedSkills(plan: Plan, steps: readonly string[]): readonly string[] {
  const known = stepsOf(plan)
  const asked = steps.flatMap((name) => {
    const step = known.get(idIn(name))
    return mayBeAsked(step) ? [`${step.integration}.${step.skill}`] : []
  })
  return [...new Set(asked)]
}

export function idIn(address: string): string {
  return address.split('/').at(-1) ?? address
}
