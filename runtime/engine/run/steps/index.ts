/** The kinds of steps, one file each. A new kind is a file here and a line below. */
import type { Json } from '../../../domain/index.ts'
import type { PlanStep } from '../../../playbook/index.ts'
import type { Execution } from '../execution.ts'
import type { Frame } from '../flow/frame.ts'
import type { StepsRunner } from '../step-runners.ts'
import { runApprove } from './approve.ts'
import { runCase } from './case.ts'
import { runForeach } from './foreach.ts'
import { runIf } from './if.ts'
import { runParallel } from './parallel.ts'
import { runPlaybook } from './playbook.ts'
import { runScript } from './script.ts'
import { runSet } from './set.ts'
import { runSkill } from './skill.ts'
import { runStop } from './stop.ts'
import { runSwitch } from './switch.ts'
import { runWait } from './wait.ts'

/** Runs one step. @param runSteps runs the steps inside it */
export function runStep(execution: Execution, frame: Frame, step: PlanStep, address: string, runSteps: StepsRunner): Promise<Json> {
  switch (step.kind) {
    case 'skill':
      return runSkill(execution, frame, step, address)
    case 'set':
      return runSet(execution, frame, step, address)
    case 'if':
      return runIf(execution, frame, step, address, runSteps)
    case 'switch':
      return runSwitch(execution, frame, step, address, runSteps)
    case 'foreach':
      return runForeach(execution, frame, step, address, runSteps)
    case 'parallel':
      return runParallel(execution, frame, step, address, runSteps)
    case 'playbook':
      return runPlaybook(execution, frame, step, address, runSteps)
    case 'script':
      return runScript(execution, frame, step, address)
    case 'case':
      return runCase(execution, frame, step, address)
    case 'wait':
      return runWait(execution, frame, step, address)
    case 'approve':
      return runApprove(execution, frame, step, address)
    case 'stop':
      return runStop(execution, frame, step, address)
  }
}
