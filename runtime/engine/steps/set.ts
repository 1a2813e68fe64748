import type { Json } from '../../domain/index.ts'
import type { StepRunner } from '../walk.ts'

export const runSet: StepRunner<'set'> = async (_walk, frame, step) => {
  const values = step.values.render(frame.context)
  if (typeof values === 'object' && values !== null && !Array.isArray(values)) frame.vars.set(values as Readonly<Record<string, Json>>)
  return values ?? null
}
