import type { Pausing } from '../../../fairness/index.ts'
import type { IfStepDocument } from '../../grammar/index.ts'
import type { IfStep } from '../../plan.ts'
import type { Compilation } from '../compilation.ts'
import type { StepAt } from './step-at.ts'

/** Compiles a condition with the steps of both branches. */
export function* compileIf(compilation: Compilation, { step, path, scope, base, list }: StepAt<IfStepDocument>): Pausing<IfStep> {
  return {
    ...base,
    kind: 'if',
    test: compilation.condition(step.if, [...path, 'if'], scope),
    then: yield* list(['then'], scope),
    else: yield* list(['else'], scope),
  }
}
