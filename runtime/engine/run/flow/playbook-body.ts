import type { PlanStep } from '../../../playbook/index.ts'
import { dropDecisions } from '../../decisions/drop-decisions.ts'
import { mostUrgentError, Sleeping, StepFailed, Stopped } from '../../failure/signals.ts'
import type { Execution } from '../execution.ts'
import type { StepsRunner } from '../step-runners.ts'
import type { Frame } from './frame.ts'

/** How a playbook's steps ended if none failed: with a `stop`, or null at their end. */
export type BodyEnd = Stopped | null

/**
 * Runs the steps of a playbook, then waits for its background work. An error that ends the whole run stops that
 * work too.
 * @throws the error of the steps or of the background work; an error that interrupts the run wins over one that
 * fails it
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
  const { reason } = frame.branchStop
  // What is still asked is asked for steps that will not begin. The caller may go on, or a write in doubt be settled.
  if (reason instanceof Stopped) dropDecisions(execution, frame.prefix)
  if (thrown.length === 0) return null
  // If other iterations sleep, the `stop` itself may not be among the errors.
  const first = mostUrgentError(reason instanceof Stopped ? [...thrown.filter(counts), reason] : thrown)
  if (first instanceof Stopped) return first
  throw first
}

/**
 * Returns whether an error still matters after a branch has stopped everything. A wait that would only begin
 * further steps does not. A write in doubt must still be settled.
 */
function counts(error: unknown): boolean {
  return !(error instanceof Sleeping) || error.binding
}
