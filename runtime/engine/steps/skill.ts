import type { SkillStep } from '../../playbook/index.ts'
import type { Frame } from '../frame.ts'
import { callHandlerWrite } from '../handler-write.ts'
import { recall, type SkillOutcome, store, storeWrite } from '../outcome.ts'
import { askByPolicy } from '../policy.ts'
import type { Prepared } from '../prepared.ts'
import { leaveAlone } from '../protection.ts'
import { keepToQuota } from '../quota.ts'
import { callRead } from '../read.ts'
import { renderCall } from '../render-call.ts'
import { StepFailed } from '../signals.ts'
import { keepToSpan } from '../span.ts'
import type { StepRunner, Walk } from '../walk.ts'
import { callWrite } from '../write.ts'
import { checkApproved } from './approve.ts'

function tally(walk: Walk, { address, step, skill, connection, target }: Prepared, outcome: SkillOutcome): void {
  const name = `${step.integration}.${step.skill}`
  if (skill.impact === 'read') walk.tally.read(name, connection.instance, outcome.ok)
  else {
    const what = outcome.ok ? ({ outcome: 'done', effect: 'done' } as const) : { outcome: outcome.failure.code, effect: outcome.effect }
    walk.tally.write(address, outcome.at, { skill: name, connection: connection.instance, target, ...what })
  }
}

function call(walk: Walk, prepared: Prepared): Promise<SkillOutcome> {
  const { impact, does } = prepared.skill
  if (impact === 'read') return callRead(walk, prepared)
  return does.kind === 'handler' ? callHandlerWrite(walk, prepared) : callWrite(walk, prepared)
}

/**
 * Whether a call may be sent: none that has not begun, when the run is cancelled. Of those that change something what is protected is not, and
 * nothing that would end in the past or too late; the organization's policy may ask, the impact budget must have room, and then the quota. What was sent already, and is in doubt, is settled
 * whatever they say by now.
 * @returns null when it may; else that it was not sent
 * @throws Sleeping, StepSkipped, RunFailed `impact_exceeded`, `run_cancelled`
 */
async function heldBack(walk: Walk, frame: Frame, prepared: Prepared): Promise<SkillOutcome | null> {
  const { address, target } = prepared
  const { impact } = prepared.skill
  if (impact === 'read') {
    walk.cancel.check()
    return null
  }
  await leaveAlone(walk, prepared)
  // What has begun to write comes to its end.
  if (!walk.writes.begun(address)) walk.cancel.check()
  const declined =
    (await keepToSpan(walk, prepared)) ??
    (await askByPolicy(walk, prepared)) ??
    (await keepToQuota(walk, frame, prepared)) ??
    (await keepToSpan(walk, prepared))
  if (!declined) walk.spend(address, { impact, target })
  return declined
}

/** What becomes of a step's call, in this life or an earlier one. */
export async function callSkill(walk: Walk, frame: Frame, step: SkillStep, address: string): Promise<SkillOutcome> {
  const prepared = await renderCall(walk, frame, step, address)
  let outcome = await recall(walk, address, prepared.digest)
  if (!outcome) {
    const began = walk.clock.now()
    checkApproved(walk, frame, prepared)
    outcome = (await heldBack(walk, frame, prepared)) ?? (await call(walk, prepared))
    outcome = await (prepared.skill.impact === 'read' ? store : storeWrite)(walk, { ...prepared, began }, outcome)
  }
  tally(walk, prepared, outcome)
  return outcome
}

export const runSkill: StepRunner<'skill'> = async (walk, frame, step, address) => {
  const outcome = await callSkill(walk, frame, step, address)
  if (!outcome.ok) throw new StepFailed(outcome.failure, outcome.output)
  return outcome.output
}
