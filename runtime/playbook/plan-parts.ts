import type { Condition, ValueTemplate } from '../expressions/index.ts'
import type { PlanStep } from './plan.ts'

/** A list of steps in a step of a plan. */
export interface NestedSteps {
  readonly steps: readonly PlanStep[]
  /** The steps run once for each item. */
  readonly loop: boolean
}

/** The lists of steps that a step holds, its handler last. Those of a sub-playbook are not among them. */
export function nestedSteps(step: PlanStep): readonly NestedSteps[] {
  return typeof step.onError === 'string' ? ownLists(step) : [...ownLists(step), once(step.onError)]
}

function ownLists(step: PlanStep): readonly NestedSteps[] {
  switch (step.kind) {
    case 'if':
      return [once(step.then), once(step.else)]
    case 'switch':
      return step.cases.map(({ steps }) => once(steps))
    case 'parallel':
      return step.branches.map(({ steps }) => once(steps))
    case 'foreach':
      return [{ steps: step.steps, loop: true }]
    case 'skill':
    case 'set':
    case 'playbook':
    case 'script':
    case 'case':
    case 'stop':
    case 'wait':
    case 'approve':
      return []
  }
}

function once(steps: readonly PlanStep[]): NestedSteps {
  return { steps, loop: false }
}

/** Every step of a list, and the steps in each: in the order of the file. */
export function* everyStep(steps: readonly PlanStep[]): Generator<PlanStep> {
  for (const step of steps) {
    yield step
    for (const nested of nestedSteps(step)) yield* everyStep(nested.steps)
  }
}

/** The templates and conditions of a step, its `if` first. Those of the steps in it are not among them. */
export function expressionsIn(step: PlanStep): readonly (ValueTemplate | Condition)[] {
  return [step.condition, ...ownExpressions(step)].filter((one) => one !== null)
}

function ownExpressions(step: PlanStep): readonly (ValueTemplate | Condition | null)[] {
  switch (step.kind) {
    case 'skill':
    case 'playbook':
    case 'script':
      return [step.with]
    case 'set':
      return [step.values]
    case 'if':
      return [step.test]
    case 'switch':
      return step.cases.map(({ when }) => when)
    case 'foreach':
      return [step.items]
    case 'parallel':
      return []
    case 'case':
      return [step.note, step.finding]
    case 'stop':
      return [step.reason]
    case 'wait':
      return step.wait.kind === 'poll' ? [step.wait.poll.with, step.wait.until] : step.wait.kind === 'until' ? [step.wait.time] : []
    case 'approve':
      return [step.title, ...step.covered.map((covered) => covered.with)]
  }
}
