import { spanOf } from '../domain/index.ts'
import { endFault } from '../plugin/index.ts'
import { failed } from './failed.ts'
import type { SkillOutcome } from './outcome.ts'
import type { Prepared } from './prepared.ts'
import type { Walk } from './walk.ts'

/**
 * Refuses a call that would set something until a time that is past, or further ahead than the skill or the organization's policy allows. Asked
 * before people are, and again when they have answered: they may have taken their time. What has reached its target is settled whatever it says.
 * @returns null when it may be sent; else that it was not
 */
export async function keepToSpan(walk: Walk, { address, step, skill, input }: Prepared): Promise<SkillOutcome | null> {
  if (skill.ends.length === 0 || walk.writes.reached(address)) return null
  const longest = spanOf(await walk.standing(), `${step.integration}.${skill.id}`)
  const at = walk.clock.now()
  const fault = endFault(skill.ends, input, at, longest)
  return fault && { ok: false, effect: 'not_sent', failure: failed(fault.code, `${step.integration}.${skill.id}: ${fault.message}`, address), at }
}
