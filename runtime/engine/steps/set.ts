import type { Json } from '../../domain/index.ts'
import type { StepRunner } from '../walk.ts'

export const runSet: StepRunner<'set'> = async (walk, frame, step) => {
  const values = step.values.render(frame.context)
  if (typeof values === 'object' && values !== null && !Array.isArray(values)) Object.assign(walk.vars, values as Record<string, Json>)
  return values ?? null
}
