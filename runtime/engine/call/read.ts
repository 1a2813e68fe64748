import type { Failure } from '../../domain/index.ts'
import type { CallFailure, CallResult } from '../../plugin/index.ts'
import { checkAlive } from '../failure/check-alive.ts'
import type { StepOutcome } from '../journal/step-outcome.ts'
import type { WriteContext } from '../run/contexts.ts'
import { checkHandlerStarted } from '../run/wait-until.ts'
import { RecordedActs } from '../write/handler-acts.ts'
import type { PreparedCall } from './prepared-call.ts'
import { retryRule } from './retry-rule.ts'
import { finishRecordedWait, waitBeforeRetry } from './retry-wait.ts'
import { send } from './send-call.ts'

function failureFrom({ code, message, remedy, vendor }: CallFailure, step: string): Failure {
  return { code, message, remedy, step, ...(vendor && { vendor }) }
}

/** Returns the outcome of a step whose call succeeded. */
export function successOf({ output, changed, warnings }: Extract<CallResult, { ok: true }>): Omit<Extract<StepOutcome, { ok: true }>, 'at'> {
  return { ok: true, output, ...(changed && { changed }), ...(warnings && { warnings }) }
}

/** Returns the outcome of a step whose call failed. */
export function failureOutcome(
  { effect, failure, output }: Extract<CallResult, { ok: false }>,
  step: string,
): Omit<Extract<StepOutcome, { ok: false }>, 'at'> {
  return { ok: false, effect, failure: failureFrom(failure, step), ...(output !== undefined && { output }) }
}

/**
 * Sends a read, and sends it again when it fails. Repeating a read is always safe.
 * @throws Sleeping if its handler found no free slot, or if the next try is long away
 */
export async function callRead(execution: WriteContext, prepared: PreparedCall): Promise<StepOutcome> {
  const { address } = prepared
  const acts = prepared.skill.does.kind === 'handler' ? new RecordedActs(execution, prepared) : undefined
  for (let tries = 1 + (await finishRecordedWait(execution, address)); ; tries += 1) {
    const result = await send(execution, prepared, null, acts)
    const at = execution.clock.now()
    if (result.ok) return { ...successOf(result), at, tries }
    checkAlive(execution.signal)
    checkHandlerStarted(execution, result.failure)
    const rule = retryRule(prepared, result.failure)
    if (!(await waitBeforeRetry(execution, rule, { place: address, tries, failure: result.failure })))
      return { ...failureOutcome(result, address), at, tries }
  }
}
