import type { Json } from '../../../domain/index.ts'
import type { StepRunner } from '../step-runners.ts'
import { rendered } from '../values/evaluate.ts'
import { checkOutputSize } from '../values/output-size.ts'

export const runSet: StepRunner<'set'> = async (execution, frame, step, address) => {
  const values = await rendered(execution, step.values, frame.context)
  // A variable that contains itself several times would double in each step.
  checkOutputSize(execution, values, address)
  if (typeof values === 'object' && values !== null && !Array.isArray(values)) frame.vars.set(values as Readonly<Record<string, Json>>)
  return values ?? null
}
