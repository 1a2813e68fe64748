import { within } from '../frame.ts'
import { runSteps } from '../run-steps.ts'
import { decide, type StepRunner } from '../walk.ts'

export const runIf: StepRunner<'if'> = async (walk, frame, step, address) => {
  const holds = decide(walk, `${address}?`, () => step.test.test(frame.context))
  await runSteps(walk, within(frame, address), holds ? step.then : step.else)
  return holds
}
