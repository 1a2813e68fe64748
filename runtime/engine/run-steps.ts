import type { Json } from '../domain/index.ts'
import type { PlanStep } from '../playbook/index.ts'
import { holds, turnFor } from './evaluate.ts'
import { addressIn, type Frame, within } from './frame.ts'
import { leftOut, withLeftOut } from './left-out.ts'
import { StepFailed, StepSkipped, Stopped } from './signals.ts'
import { runApprove } from './steps/approve.ts'
import { runCase } from './steps/case.ts'
import { runForeach } from './steps/foreach.ts'
import { runIf } from './steps/if.ts'
import { runParallel } from './steps/parallel.ts'
import { runPlaybook } from './steps/playbook.ts'
import { runScript } from './steps/script.ts'
import { runSet } from './steps/set.ts'
import { runSkill } from './steps/skill.ts'
import { runStop } from './steps/stop.ts'
import { runSwitch } from './steps/switch.ts'
import { runWait } from './steps/wait.ts'
import { decided, failureOf, type Walk } from './walk.ts'

/** One entry a kind of step: a new kind is a file in `steps/` and a line here. */
function runOne(walk: Walk, frame: Frame, step: PlanStep, address: string): Promise<Json> {
  switch (step.kind) {
    case 'skill':
      return runSkill(walk, frame, step, address)
    case 'set':
      return runSet(walk, frame, step, address)
    case 'if':
      return runIf(walk, frame, step, address, runSteps)
    case 'switch':
      return runSwitch(walk, frame, step, address, runSteps)
    case 'foreach':
      return runForeach(walk, frame, step, address, runSteps)
    case 'parallel':
      return runParallel(walk, frame, step, address, runSteps)
    case 'playbook':
      return runPlaybook(walk, frame, step, address, runSteps)
    case 'script':
      return runScript(walk, frame, step, address)
    case 'case':
      return runCase(walk, frame, step, address)
    case 'wait':
      return runWait(walk, frame, step, address)
    case 'approve':
      return runApprove(walk, frame, step, address)
    case 'stop':
      return runStop(walk, frame, step, address)
  }
}

/** Sets the result of a step, which later steps can read. */
function leave(walk: Walk, frame: Frame, step: PlanStep, address: string, left: Json, why: string | null = null): void {
  frame.steps[step.id] = left
  walk.observer?.left?.(address, step, left, why)
}

/**
 * Runs steps one after the other and leaves what each made under its id.
 * @throws StepFailed, Stopped, Sleeping, Superseded, GivenUp, or the store's error
 */
export async function runSteps(walk: Walk, frame: Frame, steps: readonly PlanStep[]): Promise<void> {
  for (const step of steps) {
    const address = addressIn(frame, step.id)
    const turn = turnFor(walk)
    if (turn) await turn
    frame.halt.check()
    walk.enter(address)
    const looking = walk.observer?.entered(address, step, { context: frame.context, playbooks: walk.playbooks, connection: walk.connection })
    if (looking) await looking
    try {
      const { condition } = step
      if (condition && !(await decided(walk, `${address}?if`, () => holds(walk, condition, frame.context)))) {
        leave(walk, frame, step, address, { status: 'skipped' })
        continue
      }
      const output = await runOne(walk, frame, step, address)
      walk.held.add(output, address)
      leave(walk, frame, step, address, { status: 'done', output })
    } catch (error) {
      if (error instanceof StepSkipped) {
        leave(walk, frame, step, address, leftOut(error.why), error.why)
        continue
      }
      if (error instanceof Stopped && step.kind === 'stop') walk.observer?.stopped?.(address, step, error.reason)
      const failure = withLeftOut(failureOf(error, address), step, frame.steps)
      walk.observer?.failed(address, step, failure)
      if (step.onError === 'fail') throw new StepFailed(failure)
      const output = error instanceof StepFailed ? error.output : undefined
      if (output !== undefined) walk.held.add(output, address)
      const { code, message } = failure
      leave(walk, frame, step, address, { status: 'failed', error: { code, message }, ...(output !== undefined && { output }) })
      if (step.onError !== 'continue') await runSteps(walk, within(frame, `${address}/on_error`), step.onError)
    } finally {
      walk.recorded.passed(address)
    }
  }
}
