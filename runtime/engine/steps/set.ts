import type { Json } from '../../domain/index.ts'
import { rendered } from '../evaluate.ts'
import { checkSize } from '../output-size.ts'
import type { StepRunner } from '../walk.ts'

export const runSet: StepRunner<'set'> = async (walk, frame, step, address) => {
  const values = await rendered(walk, step.values, frame.context)
  // A variable that takes itself up several times doubles in each step.
  checkSize(walk, values, address)
  if (typeof values === 'object' && values !== null && !Array.isArray(values)) frame.vars.set(values as Readonly<Record<string, Json>>)
  return values ?? null
}
