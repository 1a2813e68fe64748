import { holds } from '../evaluate.ts'
import { within } from '../frame.ts'
import { decided, type NestingRunner } from '../walk.ts'

export const runIf: NestingRunner<'if'> = async (walk, frame, step, address, runSteps) => {
  const held = await decided(walk, `${address}?`, () => holds(walk, step.test, frame.context))
  await runSteps(walk, within(frame, address), held ? step.then : step.else)
  return held
}
