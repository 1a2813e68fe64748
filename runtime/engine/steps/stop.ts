import { rendered } from '../evaluate.ts'
import { Stopped } from '../signals.ts'
import type { StepRunner } from '../walk.ts'

export const runStop: StepRunner<'stop'> = async (walk, frame, step) => {
  const reason = step.reason ? await rendered(walk, step.reason, frame.context) : undefined
  throw new Stopped(step.outcome, reason === undefined || reason === null ? null : String(reason))
}
