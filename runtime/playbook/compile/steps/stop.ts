import type { StopStepDocument } from '../../grammar/index.ts'
import type { StopStep } from '../../plan.ts'
import type { Compilation } from '../compilation.ts'
import type { StepAt } from './step-at.ts'

/** Compiles a step that ends the run. */
export function compileStop(compilation: Compilation, { step, path, scope, base }: StepAt<StopStepDocument>): StopStep {
  const { outcome, reason } = step.stop
  return { ...base, kind: 'stop', outcome, reason: reason === undefined ? null : compilation.value(reason, [...path, 'stop', 'reason'], scope) }
}
