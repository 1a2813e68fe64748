import type { Failure } from '../domain/index.ts'
import { type CallFailure, type CallResult, nextDelay } from '../plugin/index.ts'
import { callKey, send } from './call.ts'
import { RecordedActs } from './handler-acts.ts'
import type { SkillOutcome } from './outcome.ts'
import type { Prepared } from './prepared.ts'
import { checkBegun } from './rest.ts'
import { retryRule } from './retry.ts'
import { checkAlive, type Walk } from './walk.ts'

export function failureFrom({ code, message, remedy, vendor }: CallFailure, step: string): Failure {
  return { code, message, remedy, step, ...(vendor && { vendor }) }
}

/** What of a call that succeeded its step leaves. */
export function answered({ output, changed, warnings }: Extract<CallResult, { ok: true }>): Omit<Extract<SkillOutcome, { ok: true }>, 'at'> {
  return { ok: true, output, ...(changed && { changed }), ...(warnings && { warnings }) }
}

/** What of a call that failed its step leaves. */
export function unanswered(
  { effect, failure, output }: Extract<CallResult, { ok: false }>,
  step: string,
): Omit<Extract<SkillOutcome, { ok: false }>, 'at'> {
  return { ok: false, effect, failure: failureFrom(failure, step), ...(output !== undefined && { output }) }
}

/** A read may be repeated whatever became of it. @throws Sleeping where its handler found no slot */
export async function callRead(walk: Walk, prepared: Prepared): Promise<SkillOutcome> {
  const rule = retryRule(prepared)
  const acts = prepared.skill.does.kind === 'handler' ? new RecordedActs(walk, prepared) : undefined
  for (let tries = 1; ; tries++) {
    const result = await send(walk, prepared, null, acts)
    const at = walk.clock.now()
    if (result.ok) return { ...answered(result), at }
    checkAlive(walk.signal)
    checkBegun(walk, result.failure)
    const delay = nextDelay(rule, result.failure, tries, callKey(walk, prepared.address))
    if (delay === null) return { ...unanswered(result, prepared.address), at }
    await walk.clock.sleep(delay, walk.signal)
  }
}
