import type { CallResult } from '../plugin/index.ts'
import { send } from './call.ts'
import { Concluded, RecordedActs } from './handler-acts.ts'
import type { SkillOutcome } from './outcome.ts'
import type { Prepared } from './prepared.ts'
import { answered, unanswered } from './read.ts'
import { checkBegun } from './rest.ts'
import { checkAlive, type Walk } from './walk.ts'

/**
 * A write that is code. Each of its requests is a record of its own, so the whole may be begun again however far it came: what was
 * answered is not sent again, what was refused is tried again for itself, and what is in doubt is settled or put before a person.
 * @throws Sleeping where the handler found no slot
 */
export async function callHandlerWrite(walk: Walk, prepared: Prepared): Promise<SkillOutcome> {
  checkAlive(walk.signal)
  let result: CallResult
  try {
    result = await send(walk, prepared, null, new RecordedActs(walk, prepared))
  } catch (error) {
    if (error instanceof Concluded) return error.outcome
    throw error
  }
  const at = walk.clock.now()
  if (result.ok) return { ...answered(result), at }
  checkAlive(walk.signal)
  checkBegun(walk, result.failure)
  return { ...unanswered(result, prepared.address), at }
}
