import { holds } from '../evaluate.ts'
import { within } from '../frame.ts'
import { runSteps } from '../run-steps.ts'
import { decided, type StepRunner } from '../walk.ts'

export const runIf: StepRunner<'if'> = async (walk, frame, step, address) => {
  const held = await decided(walk, `${address}?`, () => holds(walk, step.test, frame.context))
  await runSteps(walk, within(frame, address), held ? step.then : step.else)
  return held
}
