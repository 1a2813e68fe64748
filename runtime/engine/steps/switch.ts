import { holds } from '../evaluate.ts'
import { within } from '../frame.ts'
import { decided, type NestingRunner } from '../walk.ts'

/** Runs the first case that holds; output: its index, from 0, or null when none does. */
export const runSwitch: NestingRunner<'switch'> = async (walk, frame, step, address, runSteps) => {
  const taken = await decided(walk, `${address}?`, async () => {
    for (const [index, { when }] of step.cases.entries()) if (when === null || (await holds(walk, when, frame.context))) return index
    return null
  })
  if (taken !== null) await runSteps(walk, within(frame, address), step.cases[taken]?.steps ?? [])
  return taken
}
