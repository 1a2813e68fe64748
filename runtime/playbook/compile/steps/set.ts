import type { SetStepDocument } from '../../grammar/index.ts'
import type { SetStep } from '../../plan.ts'
import type { Compilation } from '../compilation.ts'
import type { StepAt } from './step-at.ts'

/** Compiles a step that sets variables. Reports it in a concurrent loop. */
export function compileSet(compilation: Compilation, { step, path, scope, base }: StepAt<SetStepDocument>): SetStep {
  if (scope.concurrent) {
    compilation.fault(
      'loop_sets_var',
      [...path, 'set'],
      'variables belong to the run; the iterations of a concurrent loop would overwrite each other',
      'key',
    )
  }
  return { ...base, kind: 'set', values: compilation.value(step.set, [...path, 'set'], scope) }
}
