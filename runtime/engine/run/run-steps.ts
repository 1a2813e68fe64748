import type { Json } from '../../domain/index.ts'
import type { PlanStep } from '../../playbook/index.ts'
import { Sleeping, StepFailed, StepSkipped, Stopped } from '../failure/signals.ts'
import { stepFailureOf } from '../failure/step-failure.ts'
import { decided } from '../journal/decide.ts'
import type { Execution } from './execution.ts'
import { addressIn, type Frame, nestedFrame } from './flow/frame.ts'
import { runStep } from './steps/index.ts'
import { holds, turnFor } from './values/evaluate.ts'
import { skippedResult, withSkipReasons } from './values/skipped-steps.ts'

/** Sets the result of a step, which later steps can read. */
function leave(execution: Execution, frame: Frame, step: PlanStep, address: string, left: Json, why: string | null = null): void {
  frame.steps[step.id] = left
  execution.observer?.left?.(address, step, left, why)
}

const recordedKinds: ReadonlySet<PlanStep['kind']> = new Set(['skill', 'script', 'approve', 'case'])

/** Returns whether the journal or the case shows that such a step began. */
function isRecorded(step: PlanStep): boolean {
  return recordedKinds.has(step.kind) || (step.kind === 'wait' && step.wait.kind === 'poll')
}

/**
 * Runs steps one after the other, and sets each result under the step's id.
 * @throws StepFailed, Stopped, Sleeping, Superseded, GivenUp, or the store's error
 */
export async function runSteps(execution: Execution, frame: Frame, steps: readonly PlanStep[]): Promise<void> {
  for (const step of steps) {
    const address = addressIn(frame, step.id)
    const turn = turnFor(execution)
    if (turn) await turn
    frame.branchStop.check(isRecorded(step) ? execution.replay.recordedStep(address) : null)
    execution.enter(address)
    const looking = execution.observer?.entered(address, step, {
      context: frame.context,
      playbooks: execution.playbooks,
      connection: execution.connection,
      replaying: () => execution.replay.isReplaying(''),
    })
    if (looking) await looking
    let asleep = false
    try {
      const { condition } = step
      if (condition && !(await decided(execution, `${address}?if`, () => holds(execution, condition, frame.context)))) {
        leave(execution, frame, step, address, { status: 'skipped' })
        continue
      }
      const output = await runStep(execution, frame, step, address, runSteps)
      execution.memory.add(output, address)
      leave(execution, frame, step, address, { status: 'done', output })
    } catch (error) {
      asleep = error instanceof Sleeping
      if (error instanceof StepSkipped) {
        leave(execution, frame, step, address, skippedResult(error.why), error.why)
        continue
      }
      if (error instanceof Stopped && step.kind === 'stop') execution.observer?.stopped?.(address, step, error.reason)
      const failure = withSkipReasons(stepFailureOf(error, address), step, frame.steps)
      execution.observer?.failed(address, step, failure)
      if (step.onError === 'fail') throw new StepFailed(failure)
      const output = error instanceof StepFailed ? error.output : undefined
      if (output !== undefined) execution.memory.add(output, address)
      const { code, message } = failure
      leave(execution, frame, step, address, { status: 'failed', error: { code, message }, ...(output !== undefined && { output }) })
      // It has ended itself. What may still be ahead are the steps of its `on_error`.
      execution.replay.markReplayed(address)
      if (step.onError !== 'continue') await runSteps(execution, nestedFrame(frame, `${address}/on_error`), step.onError)
    } finally {
      execution.replay.markReplayed(address, asleep)
    }
  }
}
