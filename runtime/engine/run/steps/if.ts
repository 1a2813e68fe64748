import { decided } from '../../journal/decide.ts'
import { nestedFrame } from '../flow/frame.ts'
import type { NestingRunner } from '../step-runners.ts'
import { holds } from '../values/evaluate.ts'

export const runIf: NestingRunner<'if'> = async (execution, frame, step, address, runSteps) => {
  const held = await decided(execution, `${address}?`, () => holds(execution, step.test, frame.context))
  await runSteps(execution, nestedFrame(frame, address), held ? step.then : step.else)
  return held
}
