import type { Failure } from '../domain/index.ts'
import type { CallFailure, CallResult } from '../plugin/index.ts'
import { send } from './call.ts'
import { RecordedActs } from './handler-acts.ts'
import { restAsRecorded, restBeforeTry } from './next-try.ts'
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

/** Sends a read. It may be repeated, whatever happened to it. @throws Sleeping if its handler found no slot, or the next try is a long time away */
export async function callRead(walk: Walk, prepared: Prepared): Promise<SkillOutcome> {
  const { address } = prepared
  const acts = prepared.skill.does.kind === 'handler' ? new RecordedActs(walk, prepared) : undefined
  for (let tries = 1 + (await restAsRecorded(walk, address)); ; tries += 1) {
    const result = await send(walk, prepared, null, acts)
    const at = walk.clock.now()
    if (result.ok) return { ...answered(result), at, tries }
    checkAlive(walk.signal)
    checkBegun(walk, result.failure)
    const rule = retryRule(prepared, result.failure)
    if (!(await restBeforeTry(walk, rule, { place: address, tries, failure: result.failure }))) return { ...unanswered(result, address), at, tries }
  }
}
