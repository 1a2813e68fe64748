import type { CallResult } from '../../plugin/index.ts'
import type { PreparedCall } from '../call/prepared-call.ts'
import { failureOutcome, successOf } from '../call/read.ts'
import { send } from '../call/send-call.ts'
import { checkAlive } from '../failure/check-alive.ts'
import type { StepOutcome } from '../journal/step-outcome.ts'
import type { WriteContext } from '../run/contexts.ts'
import { checkHandlerStarted } from '../run/wait-until.ts'
import { RecordedActs, StepSettled } from './handler-acts.ts'

/**
 * A write that is code. Each of its requests is a record of its own, so the whole may be begun again however far it came: what was
 * answered is not sent again, what was refused is tried again for itself, and what is in doubt is settled or put before a person.
 * @throws Sleeping where the handler found no slot
 */
export async function callHandlerWrite(execution: WriteContext, prepared: PreparedCall): Promise<StepOutcome> {
  checkAlive(execution.signal)
  let result: CallResult
  try {
    result = await send(execution, prepared, null, new RecordedActs(execution, prepared))
  } catch (error) {
    if (error instanceof StepSettled) return error.outcome
    throw error
  }
  const at = execution.clock.now()
  if (result.ok) return { ...successOf(result), at }
  checkAlive(execution.signal)
  checkHandlerStarted(execution, result.failure)
  return { ...failureOutcome(result, prepared.address), at }
}
