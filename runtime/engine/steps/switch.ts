import { within } from '../frame.ts'
import { runSteps } from '../run-steps.ts'
import { decide, type StepRunner } from '../walk.ts'

/** Runs the first case that holds; output: its index, from 0, or null when none does. */
export const runSwitch: StepRunner<'switch'> = async (walk, frame, step, address) => {
  const taken = decide(walk, `${address}?`, () => {
    const index = step.cases.findIndex(({ when }) => when === null || when.test(frame.context))
    return index < 0 ? null : index
  })
  if (taken !== null) await runSteps(walk, within(frame, address), step.cases[taken]?.steps ?? [])
  return taken
}
