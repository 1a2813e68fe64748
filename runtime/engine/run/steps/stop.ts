import { Stopped } from '../../failure/signals.ts'
import type { StepRunner } from '../step-runners.ts'
import { rendered } from '../values/evaluate.ts'
import { textOf } from '../values/large-json.ts'

export const runStop: StepRunner<'stop'> = async (execution, frame, step) => {
  const reason = step.reason ? await rendered(execution, step.reason, frame.context) : undefined
  throw new Stopped(step.outcome, reason === undefined || reason === null ? null : await textOf(execution, reason))
}
