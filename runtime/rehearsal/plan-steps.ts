import type { Plan, PlanStep } from '../playbook/index.ts'

/** The lists of steps that a step holds. */
export function listsIn(step: PlanStep): readonly (readonly PlanStep[])[] {
  const own = (): readonly (readonly PlanStep[])[] => {
    switch (step.kind) {
      case 'if':
        return [step.then, step.else]
      case 'switch':
        return step.cases.map(({ steps }) => steps)
      case 'foreach':
        return [step.steps]
      case 'parallel':
        return step.branches.map(({ steps }) => steps)
      default:
        return []
    }
  }
  return typeof step.onError === 'string' ? own() : [...own(), step.onError]
}

/** Every step of a plan, by id. */
export function stepsOf(plan: Plan): ReadonlyMap<string, PlanStep> {
  const found = new Map<string, PlanStep>()
  const walk = (steps: readonly PlanStep[]): void => {
    for (const step of steps) {
      found.set(step.id, step)
      for (const list of listsIn(step)) walk(list)
    }
  }
  walk(plan.steps)
  return found
}
