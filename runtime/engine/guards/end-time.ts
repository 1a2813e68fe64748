import { spanOf } from '../../domain/index.ts'
import { endFault } from '../../plugin/index.ts'
import type { PreparedCall } from '../call/prepared-call.ts'
import { failed } from '../failure/failed.ts'
import type { StepOutcome } from '../journal/step-outcome.ts'
import type { GuardContext } from '../run/contexts.ts'

/**
 * Refuses a call that would set something until a time that is past, or further ahead than the skill or the organization's policy allows. Asked
 * before people are, and again when they have answered: they may have taken their time. What has reached its target is settled whatever it says.
 * @returns null when it may be sent; else that it was not
 */
export async function checkEndTime(execution: GuardContext, { address, step, skill, input }: PreparedCall): Promise<StepOutcome | null> {
  if (skill.ends.length === 0 || execution.writes.reached(address)) return null
  const longest = spanOf(await execution.currentPolicy(), `${step.integration}.${skill.id}`)
  const at = execution.clock.now()
  const fault = endFault(skill.ends, input, at, longest)
  return fault && { ok: false, effect: 'not_sent', failure: failed(fault.code, `${step.integration}.${skill.id}: ${fault.message}`, address), at }
}
