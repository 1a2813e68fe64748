import type { PlanStep } from '../../../playbook/index.ts'
import { foremost, Sleeping, StepFailed, Stopped } from '../../failure/signals.ts'
import type { Execution } from '../execution.ts'
import type { StepsRunner } from '../step-runners.ts'
import type { Frame } from './frame.ts'

/** How a playbook's steps ended that did not fail: at their end, or at a `stop`. */
export type BodyEnd = Stopped | null

/**
 * Runs the steps of a playbook, and waits for what they leave running. What ends the steps for the whole run ends that, too.
 * @throws what the steps threw, or what they left running; what only interrupts the run before what fails it
 */
export async function runPlaybookBody(execution: Execution, frame: Frame, steps: readonly PlanStep[], runSteps: StepsRunner): Promise<BodyEnd> {
  const thrown: unknown[] = []
  try {
    await runSteps(execution, frame, steps)
  } catch (error) {
    thrown.push(error)
    if (!(error instanceof StepFailed || error instanceof Stopped || error instanceof Sleeping)) frame.branchStop.stop(error as Error)
  }
  thrown.push(...(await frame.background.ended()))
  if (thrown.length === 0) return null
  const { reason } = frame.branchStop
  // Beside iterations that sleep, the `stop` itself may not be among what was thrown.
  const first = foremost(reason instanceof Stopped ? [...thrown.filter(counts), reason] : thrown)
  if (first instanceof Stopped) return first
  throw first
}

/** Where a branch has stopped everything, nothing is waited for any more that would not begin a step; a write in doubt is settled all the same. */
function counts(error: unknown): boolean {
  return !(error instanceof Sleeping) || error.binding
}
