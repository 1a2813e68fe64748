import type { SkillStep } from '../../../playbook/index.ts'
import type { PreparedCall } from '../../call/prepared-call.ts'
import { callRead } from '../../call/read.ts'
import { renderCall } from '../../call/render-call.ts'
import { StepFailed } from '../../failure/signals.ts'
import { checkEndTime } from '../../guards/end-time.ts'
import { askByPolicy } from '../../guards/policy.ts'
import { skipIfProtected } from '../../guards/protection.ts'
import { countInQuota } from '../../guards/quota.ts'
import { recalledOutcome, recordOutcome, recordWriteOutcome, type StepOutcome } from '../../journal/step-outcome.ts'
import { callHandlerWrite } from '../../write/handler-write.ts'
import { callWrite } from '../../write/write.ts'
import type { Execution } from '../execution.ts'
import type { Frame } from '../flow/frame.ts'
import type { StepRunner } from '../step-runners.ts'
import { checkApproved } from './approve.ts'

function addToCaseLog(execution: Execution, { address, step, skill, connection, target }: PreparedCall, outcome: StepOutcome): void {
  const name = `${step.integration}.${step.skill}`
  if (skill.impact === 'read') execution.caseLog.read(name, connection.instance, outcome.ok)
  else {
    const what = outcome.ok ? ({ outcome: 'done', effect: 'done' } as const) : { outcome: outcome.failure.code, effect: outcome.effect }
    execution.caseLog.write(address, outcome.at, { skill: name, connection: connection.instance, target, ...what })
  }
}

function call(execution: Execution, prepared: PreparedCall): Promise<StepOutcome> {
  const { impact, does } = prepared.skill
  if (impact === 'read') return callRead(execution, prepared)
  return does.kind === 'handler' ? callHandlerWrite(execution, prepared) : callWrite(execution, prepared)
}

/**
 * Checks whether a call may be sent. If the run is cancelled, a call that has not begun may not. A call that
 * changes something is also checked for protected targets, end times, approval by policy, impact budget and
 * quota. A write that was sent and is in doubt is settled, whatever these say now.
 * @returns null if it may be sent; else the outcome of the step
 * @throws Sleeping, StepSkipped, RunFailed `impact_exceeded`, `run_cancelled`
 */
async function refusedBy(execution: Execution, frame: Frame, prepared: PreparedCall): Promise<StepOutcome | null> {
  const { address, target } = prepared
  const { impact } = prepared.skill
  if (impact === 'read') {
    execution.cancel.check()
    return null
  }
  execution.pauses.lookAhead(address)
  await execution.opened
  await skipIfProtected(execution, prepared)
  // A step that has begun to write finishes.
  if (!execution.writes.begun(address)) execution.cancel.check()
  const declined =
    (await checkEndTime(execution, prepared)) ??
    (await askByPolicy(execution, prepared)) ??
    (await countInQuota(execution, frame, prepared)) ??
    (await checkEndTime(execution, prepared))
  if (!declined) execution.spend(address, { impact, target })
  return declined
}

/** Calls the skill of a step, or takes the outcome that an earlier execution recorded. */
export async function callSkill(execution: Execution, frame: Frame, step: SkillStep, address: string): Promise<StepOutcome> {
  const prepared = await renderCall(execution, frame, step, address)
  let outcome = await recalledOutcome(execution, address, prepared.digest)
  if (!outcome) {
    const began = execution.clock.now()
    checkApproved(execution, frame, prepared)
    outcome = (await refusedBy(execution, frame, prepared)) ?? (await call(execution, prepared))
    outcome = await (prepared.skill.impact === 'read' ? recordOutcome : recordWriteOutcome)(execution, { ...prepared, began }, outcome)
  }
  addToCaseLog(execution, prepared, outcome)
  return outcome
}

export const runSkill: StepRunner<'skill'> = async (execution, frame, step, address) => {
  const outcome = await callSkill(execution, frame, step, address)
  if (!outcome.ok) throw new StepFailed(outcome.failure, outcome.output)
  return outcome.output
}
