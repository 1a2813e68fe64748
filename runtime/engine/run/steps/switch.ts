import { decided } from '../../journal/decide.ts'
import { nestedFrame } from '../flow/frame.ts'
import type { NestingRunner } from '../step-runners.ts'
import { holds } from '../values/evaluate.ts'

/** Runs the first case whose condition is true. Output: its index from 0, or null if there is none. */
export const runSwitch: NestingRunner<'switch'> = async (execution, frame, step, address, runSteps) => {
  const taken = await decided(execution, `${address}?`, async () => {
    for (const [index, { when }] of step.cases.entries()) if (when === null || (await holds(execution, when, frame.context))) return index
    return null
  })
  if (taken !== null) await runSteps(execution, nestedFrame(frame, address), step.cases[taken]?.steps ?? [])
  return taken
}
