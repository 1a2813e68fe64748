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
 * Calls a write that is code. Each request has its own record, so the handler may start again at any point.
 * Answered requests are not sent again, refused ones are retried, and those in doubt are resolved.
 * @throws Sleeping if the handler found no free slot
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
