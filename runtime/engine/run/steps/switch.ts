import { decided } from '../../journal/decide.ts'
import { nestedFrame } from '../flow/frame.ts'
import type { NestingRunner } from '../step-runners.ts'
import { holds } from '../values/evaluate.ts'

/** Runs the first case that holds; output: its index, from 0, or null when none does. */
export const runSwitch: NestingRunner<'switch'> = async (execution, frame, step, address, runSteps) => {
  const taken = await decided(execution, `${address}?`, async () => {
    for (const [index, { when }] of step.cases.entries()) if (when === null || (await holds(execution, when, frame.context))) return index
    return null
  })
  if (taken !== null) await runSteps(execution, nestedFrame(frame, address), step.cases[taken]?.steps ?? [])
  return taken
}
