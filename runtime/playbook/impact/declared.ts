import type { Plan, PlanStep } from '../plan.ts'
import { nestedSteps } from '../plan-parts.ts'

/** The facts about a plan's steps that its impact depends on. */
export interface Declared {
  /** The loops around each step, outermost first, by the step's id. */
  readonly loops: ReadonlyMap<string, readonly string[]>
  /** Variables that have only one value in a run: one step sets them, outside of loops. */
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
      for (const nested of nestedSteps(step)) visit(nested.steps, nested.loop ? [...around, step.id] : around)
    }
  }
  visit(plan.steps, [])
  return { loops, setOnce: new Set([...sets].filter(([, count]) => count === 1).map(([name]) => name)) }
}
