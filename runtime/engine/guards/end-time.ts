import { spanOf } from '../../domain/index.ts'
import { endFault } from '../../plugin/index.ts'
import type { PreparedCall } from '../call/prepared-call.ts'
import { failed } from '../failure/failed.ts'
import type { StepOutcome } from '../journal/step-outcome.ts'
import type { GuardContext } from '../run/contexts.ts'

/**
 * Refuses a call that sets an end time in the past, or further ahead than the skill or the organization's
 * policy allows. Checked before people are asked, and again after they have answered, because that takes time.
 * A write that has reached its target is always settled.
 * @returns null if it may be sent; else the outcome of the step
 */
export async function checkEndTime(execution: GuardContext, { address, step, skill, input }: PreparedCall): Promise<StepOutcome | null> {
  if (skill.ends.length === 0 || execution.writes.reached(address)) return null
  const longest = spanOf(await execution.currentPolicy(), `${step.integration}.${skill.id}`)
  const at = execution.clock.now()
  const fault = endFault(skill.ends, input, at, longest)
  return fault && { ok: false, effect: 'not_sent', failure: failed(fault.code, `${step.integration}.${skill.id}: ${fault.message}`, address), at }
}
