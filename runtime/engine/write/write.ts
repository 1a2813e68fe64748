import type { CallFailure } from '../../plugin/index.ts'
import type { PreparedCall } from '../call/prepared-call.ts'
import { failureOutcome, successOf } from '../call/read.ts'
import { retryRule } from '../call/retry-rule.ts'
import { finishRecordedWait, waitBeforeResend, waitBeforeRetry } from '../call/retry-wait.ts'
import { send, timeoutOf } from '../call/send-call.ts'
import { checkAlive } from '../failure/check-alive.ts'
import { recordedWrite, type StepOutcome } from '../journal/step-outcome.ts'
import type { WriteContext } from '../run/contexts.ts'
import { checkPaused, checkTurnedAway } from './pause-check.ts'
import { outputFromAnswer, resolveUnknownWrite } from './resolve-unknown-write.ts'
import { unknownWriteAt } from './unknown-write.ts'
import { beginAttempt, changeAfterRetries, mayResendLate, recordIfCancelled, recordUnchanged } from './write-attempt.ts'

/**
 * Sends a write at most once. The intent is durable before anything is sent. A try that changed nothing may be
 * repeated. A try with an unknown outcome is repeated only as its skill allows (`resolve-unknown-write.ts`).
 * Otherwise people decide, and the write is not repeated unless they say so.
 */
export async function callWrite(execution: WriteContext, prepared: PreparedCall): Promise<StepOutcome> {
  const { address, digest, connection } = prepared
  const { writes, clock, cancel, signal } = execution
  const rule = retryRule(prepared)
  /** Failure of this execution's last try whose outcome is unknown. */
  let unknown: CallFailure | null = null
  let late = 0

  for (;;) {
    const doubt = unknownWriteAt(execution, address, unknown)
    const resolved = doubt && (await resolveUnknownWrite(execution, prepared, doubt, writes.counted(address) < Math.max(rule.attempts, 2)))
    if (resolved?.kind === 'settled') return resolved.outcome
    if (resolved?.kind === 'happened') return { ok: true, output: outputFromAnswer(prepared.skill, resolved.output), at: clock.now() }
    // A write that is known not to have happened counts as not begun. Any other write that was in doubt is sent
    // again even if the run was cancelled.
    const binding = resolved !== null && resolved.because !== 'absent'
    if (doubt && resolved && (binding || !cancel.cancellation))
      await waitBeforeResend(execution, { place: address, delay: rule.delay, doubt: binding ? doubt.failure : null })
    checkAlive(signal)
    if (!binding) {
      const given = givenUp(execution, address, writes.counted(address))
      if (given) return given
    }
    const write = { place: address, connection, binding }
    await finishRecordedWait(execution, address)
    await checkPaused(execution, write)
    const sent = writes.at(address) ? null : await recordedWrite(execution, prepared)
    const intent = await beginAttempt(execution, { ...write, digest, timeout: timeoutOf(prepared), by: resolved?.by ?? null, write: sent })
    if (!binding && recordIfCancelled(execution, intent)) {
      const given = givenUp(execution, address, writes.counted(address) - 1)
      if (given) return given
    }
    const result = await send(execution, prepared, intent.sendBy)
    const ended = clock.now()
    if (result.ok) return { ...successOf(result), at: ended, ...changeAfterRetries(result.changed, intent.try) }
    if (result.effect === 'done') return { ...failureOutcome(result, address), at: ended }
    if (result.effect === 'unknown') {
      unknown = result.failure
      continue
    }
    await checkTurnedAway(execution, write, intent.try, result.failure)
    checkAlive(signal)
    if (result.effect === 'not_sent' && (await mayResendLate(execution, intent, result.failure, late))) {
      late += 1
      continue
    }
    const inDoubt = await recordUnchanged(execution, intent, result.effect, result.failure)
    const tried = {
      place: address,
      tries: writes.counted(address),
      failure: result.failure,
      doubt: inDoubt ? (unknown ?? doubt?.failure ?? null) : null,
    }
    if (!(await waitBeforeRetry(execution, rule, tried)) && !inDoubt) return { ...failureOutcome(result, address), at: ended }
  }
}

/**
 * The outcome of a write that is not sent, or not sent again, because the run was cancelled. Null: it was not
 * cancelled.
 * @throws RunFailed `run_cancelled` if the write had not begun
 */
function givenUp({ cancel, clock }: WriteContext, address: string, tries: number): StepOutcome | null {
  if (tries === 0) cancel.check()
  const failure = cancel.failureAt(address)
  return failure && { ok: false, effect: 'not_sent', failure, at: clock.now() }
}
