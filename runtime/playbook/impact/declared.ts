import type { Plan, PlanStep } from '../plan.ts'

/** What a plan's steps leave behind, as far as the worst case must know. */
export interface Declared {
  /** The loops that a step is in, from the outside; by the step's id. */
  readonly loops: ReadonlyMap<string, readonly string[]>
  /** Variables that have one value in a run: one step sets them, in no loop. */
  readonly setOnce: ReadonlySet<string>
}

export function declaredIn(plan: Plan): Declared {
  const loops = new Map<string, readonly string[]>()
  const sets = new Map<string, number>()
  const visit = (steps: readonly PlanStep[], around: readonly string[]): void => {
    for (const step of steps) {
      loops.set(step.id, around)
      if (step.kind === 'set') {
        for (const name of Object.keys(step.values.source as object)) sets.set(name, (sets.get(name) ?? 0) + (around.length > 0 ? 2 : 1))
      }
      for (const list of listsIn(step)) visit(list, step.kind === 'foreach' && list === step.steps ? [...around, step.id] : around)
    }
  }
  visit(plan.steps, [])
  return { loops, setOnce: new Set([...sets].filter(([, count]) => count === 1).map(([name]) => name)) }
}

/** The lists of steps that a step holds. */
function listsIn(step: PlanStep): readonly (readonly PlanStep[])[] {
  const handler = typeof step.onError === 'string' ? [] : [step.onError]
  switch (step.kind) {
    case 'if':
      return [step.then, step.else, ...handler]
    case 'switch':
      return [...step.cases.map(({ steps }) => steps), ...handler]
    case 'parallel':
      return [...step.branches.map(({ steps }) => steps), ...handler]
    case 'foreach':
      return [step.steps, ...handler]
    default:
      return handler
  }
}
