import type { Condition, ValueTemplate } from '../expressions/index.ts'
import type { PlanStep } from './plan.ts'

/** A list of steps inside a step. */
export interface NestedSteps {
  readonly steps: readonly PlanStep[]
  /** True if the steps run once for each item. */
  readonly loop: boolean
}

/** Returns the lists of steps inside a step, the `on_error` steps last. Does not enter sub-playbooks. */
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

/** Yields every step, including nested steps, in the order of the file. */
export function* everyStep(steps: readonly PlanStep[]): Generator<PlanStep> {
  for (const step of steps) {
    yield step
    for (const nested of nestedSteps(step)) yield* everyStep(nested.steps)
  }
}

/** Returns the templates and conditions of a step, its `if` first. Does not include those of nested steps. */
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
