import type { CallFailure } from '../plugin/index.ts'
import { send, timeoutOf } from './call.ts'
import { fittingOutput, resolveDoubt } from './doubt.ts'
import { doubtAt } from './doubt-at.ts'
import { restAsRecorded, restBeforeRepeat, restBeforeTry } from './next-try.ts'
import { recordedWrite, type SkillOutcome } from './outcome.ts'
import { checkPaused, checkTurnedAway } from './paused.ts'
import type { Prepared } from './prepared.ts'
import { answered, unanswered } from './read.ts'
import { retryRule } from './retry.ts'
import { beginTry, changedAt, noteCancelled, noteTried, sentAnew } from './try.ts'
import { checkAlive, type Walk } from './walk.ts'

/**
 * A write, once. The intent is durable before anything is sent. A try that changed nothing may be repeated; one whose effect is
 * unknown only as its skill allows (`doubt.ts`). What remains unknown is put before a person, and is not repeated unless that person says so.
 */
export async function callWrite(walk: Walk, prepared: Prepared): Promise<SkillOutcome> {
  const { address, digest, connection } = prepared
  const { writes, clock, cancel, signal } = walk
  const rule = retryRule(prepared)
  /** Of the last try of this life whose outcome is unknown. */
  let unknown: CallFailure | null = null
  let late = 0

  for (;;) {
    const doubt = doubtAt(walk, address, unknown)
    const resolved = doubt && (await resolveDoubt(walk, prepared, doubt, writes.counted(address) < Math.max(rule.attempts, 2)))
    if (resolved?.kind === 'settled') return resolved.outcome
    if (resolved?.kind === 'happened') return { ok: true, output: fittingOutput(prepared.skill, resolved.output), at: clock.now() }
    // What had not happened is as if it had not begun; all else that was in doubt is sent again also when somebody has cancelled the run.
    const binding = resolved !== null && resolved.because !== 'absent'
    if (doubt && resolved && (binding || !cancel.standing))
      await restBeforeRepeat(walk, { place: address, delay: rule.delay, doubt: binding ? doubt.failure : null })
    checkAlive(signal)
    if (!binding) {
      const given = givenUp(walk, address, writes.counted(address))
      if (given) return given
    }
    const write = { place: address, connection, binding }
    await restAsRecorded(walk, address)
    await checkPaused(walk, write)
    const sent = writes.at(address) ? null : await recordedWrite(walk, prepared)
    const intent = await beginTry(walk, { ...write, digest, timeout: timeoutOf(prepared), by: resolved?.by ?? null, write: sent })
    if (!binding && noteCancelled(walk, intent)) {
      const given = givenUp(walk, address, writes.counted(address) - 1)
      if (given) return given
    }
    const result = await send(walk, prepared, intent.sendBy)
    const ended = clock.now()
    if (result.ok) return { ...answered(result), at: ended, ...changedAt(result.changed, intent.try) }
    if (result.effect === 'done') return { ...unanswered(result, address), at: ended }
    if (result.effect === 'unknown') {
      unknown = result.failure
      continue
    }
    await checkTurnedAway(walk, write, intent.try, result.failure)
    checkAlive(signal)
    if (result.effect === 'not_sent' && (await sentAnew(walk, intent, result.failure, late))) {
      late += 1
      continue
    }
    const inDoubt = await noteTried(walk, intent, result.effect, result.failure)
    const tried = {
      place: address,
      tries: writes.counted(address),
      failure: result.failure,
      doubt: inDoubt ? (unknown ?? doubt?.failure ?? null) : null,
    }
    if (!(await restBeforeTry(walk, rule, tried)) && !inDoubt) return { ...unanswered(result, address), at: ended }
  }
}

/**
 * Of a write that is not sent, or not again, because somebody cancelled the run: null when nobody did. What had been tried is told in the case.
 * @throws RunFailed `run_cancelled` when it had not begun
 */
function givenUp({ cancel, clock }: Walk, address: string, tries: number): SkillOutcome | null {
  if (tries === 0) cancel.check()
  const failure = cancel.failureAt(address)
  return failure && { ok: false, effect: 'not_sent', failure, at: clock.now() }
}
