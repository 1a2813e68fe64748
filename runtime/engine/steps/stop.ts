import { Stopped } from '../signals.ts'
import type { StepRunner } from '../walk.ts'

export const runStop: StepRunner<'stop'> = async (_walk, frame, step) => {
  const reason = step.reason?.render(frame.context)
  throw new Stopped(step.outcome, reason === undefined || reason === null ? null : String(reason))
}
