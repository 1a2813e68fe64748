import type { Pausing } from '../../../fairness/index.ts'
import type { SwitchStepDocument } from '../../grammar/index.ts'
import type { SwitchStep } from '../../plan.ts'
import type { Compilation } from '../compilation.ts'
import type { StepAt } from './step-at.ts'

/** Compiles cases with their steps. Reports a `default` before the last one. */
export function* compileSwitch(compilation: Compilation, { step, path, scope, base, list }: StepAt<SwitchStepDocument>): Pausing<SwitchStep> {
  const cases: SwitchStep['cases'][number][] = []
  for (const [index, one] of step.switch.entries()) {
    if ('default' in one && index < step.switch.length - 1) {
      compilation.fault(
        'switch_default_not_last',
        [...path, 'switch', index, 'default'],
        'the cases after `default` are never taken; put it last',
        'key',
      )
    }
    const when = 'when' in one ? compilation.condition(one.when, [...path, 'switch', index, 'when'], scope) : null
    cases.push({ when, steps: yield* list(['switch', index, 'steps'], scope) })
  }
  return { ...base, kind: 'switch', cases }
}
