import { type CallResult, nextDelay } from '../plugin/index.ts'
import { callKey, send } from './call.ts'
import { Concluded, RecordedActs } from './handler-acts.ts'
import type { SkillOutcome } from './outcome.ts'
import type { Prepared } from './prepared.ts'
import { failureFrom } from './read.ts'
import { retryRule } from './retry.ts'
import { checkAlive, type Walk } from './walk.ts'

/**
 * A write that is code. Each of its requests is a record of its own, so the whole may be begun again however far it came: what was
 * answered is not sent again, and what is in doubt is settled or put before a person.
 */
export async function callHandlerWrite(walk: Walk, prepared: Prepared): Promise<SkillOutcome> {
  const { address } = prepared
  const rule = retryRule(prepared)
  const acts = new RecordedActs(walk, prepared)
  for (let tries = 1; ; tries++) {
    checkAlive(walk.signal)
    let result: CallResult
    try {
      result = await send(walk, prepared, null, acts)
    } catch (error) {
      if (error instanceof Concluded) return error.outcome
      throw error
    }
    const at = walk.clock.now()
    if (result.ok) return { ok: true, output: result.output, at }
    checkAlive(walk.signal)
    const delay = nextDelay(rule, result.failure, tries, callKey(walk, address))
    if (delay === null) return { ok: false, effect: result.effect, failure: failureFrom(result.failure, address), at }
    await walk.clock.sleep(delay, walk.signal)
  }
}
