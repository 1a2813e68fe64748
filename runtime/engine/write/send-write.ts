import type { Json, Millis, Unchanged } from '../../domain/index.ts'
import type { CallFailure } from '../../plugin/index.ts'
import type { PreparedCall } from '../call/prepared-call.ts'
import { retryRule } from '../call/retry-rule.ts'
import { finishRecordedWait, waitBeforeResend, waitBeforeRetry } from '../call/retry-wait.ts'
import { checkAlive } from '../failure/check-alive.ts'
import { recordedWrite, type StepOutcome } from '../journal/step-outcome.ts'
import type { WriteContext } from '../run/contexts.ts'
import { checkPaused, checkTurnedAway } from './pause-check.ts'
import { resolveUnknownWrite } from './resolve-unknown-write.ts'
import { type UnknownWrite, unknownWriteAt } from './unknown-write.ts'
import { beginAttempt, type Intent, mayResendLate, recordIfCancelled, recordUnchanged } from './write-attempt.ts'

/** The result of sending a write once: of a skill's call, or of one request of a handler. */
export type Sent =
  | { readonly ok: true; readonly changed?: Unchanged }
  | { readonly ok: false; readonly effect: 'not_sent' | 'refused' | 'done' | 'unknown'; readonly failure: CallFailure }

/** A write that is sent at most once: a step's call, or one request of a step's handler. */
export interface Write<Result extends Sent> {
  readonly prepared: PreparedCall
  /** Its address in the journal: the step's, or that of one request. */
  readonly place: string
  /** Digest of what is sent. */
  readonly digest: string
  readonly timeout: Millis
  /**
   * Whether the write may be left out if the run is cancelled, or if its time is over. A handler that has changed
   * something runs to its end, because half of its requests could leave a user half suspended.
   */
  readonly cancellable: boolean
  /** Says more precisely which write is in doubt, for the people who are asked. */
  describe(unknown: UnknownWrite): UnknownWrite
  send(sendBy: Millis): Promise<Result>
}

export type WriteEnd<Result extends Sent> =
  /** The outcome of the whole step is known, and nothing more is sent. */
  | { readonly kind: 'settled'; readonly outcome: StepOutcome }
  /** A person said that an earlier try happened, and what it answered. */
  | { readonly kind: 'happened'; readonly output: Json; readonly try: number }
  /** The last try was answered, or failed without a further try. */
  | { readonly kind: 'sent'; readonly result: Result; readonly intent: Intent; readonly at: Millis }

/**
 * Sends a write. The intent is durable in the journal before the request leaves. A try that changed nothing
 * may be repeated by the retry rule. A try whose effect is unknown is repeated only as the skill allows
 * (`resolve-unknown-write.ts`). Otherwise a person decides.
 * @throws Sleeping, RunFailed `run_cancelled`, GivenUp, Superseded, and the store's errors
 */
export async function sendWrite<Result extends Sent>(execution: WriteContext, write: Write<Result>): Promise<WriteEnd<Result>> {
  const { prepared, place, digest, timeout, cancellable } = write
  const { writes, clock, cancel, signal, journal } = execution
  const rule = retryRule(prepared)
  /** Why the last try of this execution has an unknown effect. Null: no try of it has. */
  let unknown: CallFailure | null = null
  let late = 0
  /** The try whose doubt this execution has logged. */
  let told: number | null = null

  for (;;) {
    const doubt = unknownWriteAt(execution, place, unknown)
    const mayRepeat = writes.counted(place) < Math.max(rule.attempts, 2)
    const resolved = doubt && (await resolveUnknownWrite(execution, prepared, write.describe(doubt), { mayRepeat, told: doubt.last.try === told }))
    told = doubt?.last.try ?? told
    if (resolved?.kind === 'settled') return resolved
    if (resolved?.kind === 'happened') return { kind: 'happened', output: resolved.output, try: doubt?.last.try ?? 1 }
    // A write that a probe did not find is like one that was never sent. Any other write in doubt is sent
    // again even if the run was cancelled meanwhile.
    const stillInDoubt = resolved !== null && resolved.because !== 'absent'
    const mayLeaveOut = cancellable && !stillInDoubt
    const binding = !mayLeaveOut
    if (doubt && resolved && (binding || !cancel.cancellation))
      await waitBeforeResend(execution, { place, delay: rule.delay, doubt: stillInDoubt ? doubt.failure : null, binding })
    checkAlive(signal)
    if (mayLeaveOut) {
      const outcome = cancelledOutcome(execution, prepared, writes.counted(place))
      if (outcome) return { kind: 'settled', outcome }
    }
    await finishRecordedWait(execution, place, binding)
    const toSend = { place, step: prepared.address, connection: prepared.connection, binding }
    // One write stores the intent and what the reads before it found.
    const endGathering = journal.gather()
    let intent: Intent
    try {
      await checkPaused(execution, toSend)
      const isRecorded = writes.at(place) !== undefined || writes.begun(prepared.address)
      const recorded = isRecorded ? null : await recordedWrite(execution, prepared)
      intent = await beginAttempt(execution, { ...toSend, digest, timeout, by: resolved?.by ?? null, write: recorded })
    } finally {
      endGathering()
    }
    if (mayLeaveOut && recordIfCancelled(execution, intent)) {
      const outcome = cancelledOutcome(execution, prepared, writes.counted(place) - 1)
      if (outcome) return { kind: 'settled', outcome }
    }
    const result = await write.send(intent.sendBy)
    const at = clock.now()
    if (result.ok || result.effect === 'done') return { kind: 'sent', result, intent, at }
    if (result.effect === 'unknown') {
      unknown = result.failure
      continue
    }
    await checkTurnedAway(execution, toSend, intent.try, result.failure)
    if (result.effect === 'not_sent' && (await mayResendLate(execution, intent, result.failure, late))) {
      late += 1
      continue
    }
    const inDoubt = await recordUnchanged(execution, intent, result.effect, result.failure)
    // A try that failed because this process gave up the run is not a failure of the step.
    checkAlive(signal)
    const why = inDoubt ? (unknown ?? doubt?.failure ?? null) : null
    const tried = { place, tries: writes.counted(place), failure: result.failure, doubt: why, binding: !cancellable }
    if (!(await waitBeforeRetry(execution, rule, tried)) && !inDoubt) return { kind: 'sent', result, intent, at }
  }
}

/**
 * Returns the outcome of a write that is not sent, or not again, because the run was cancelled. Null: it was
 * not cancelled. The case tells about earlier tries.
 * @throws RunFailed `run_cancelled` if there was no earlier try
 */
function cancelledOutcome({ cancel, clock }: WriteContext, { address }: PreparedCall, tries: number): StepOutcome | null {
  if (tries === 0) cancel.check()
  const failure = cancel.failureAt(address)
  return failure && { ok: false, effect: 'not_sent', failure, at: clock.now() }
}
