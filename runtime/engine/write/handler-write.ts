import type { CallResult } from '../../plugin/index.ts'
import type { PreparedCall } from '../call/prepared-call.ts'
import { failureOutcome, successOf } from '../call/read.ts'
import { send } from '../call/send-call.ts'
import { checkAlive } from '../failure/check-alive.ts'
import type { StepOutcome } from '../journal/step-outcome.ts'
import type { WriteContext } from '../run/contexts.ts'
import { checkHandlerStarted } from '../run/wait-until.ts'
import { RecordedActs, StepSettled } from './handler-acts.ts'

type Failed = Pick<Extract<StepOutcome, { ok: false }>, 'effect' | 'failure'>

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
  const failed = failureOutcome(result, prepared.address)
  return { ...failed, ...whatBefore(execution, prepared.address, failed), at }
}

/**
 * Returns what the requests of a failed handler did according to the journal, if that is more than the handler knows. It may have
 * failed before it asked for what an earlier execution has sent: its connection has changed, for example.
 */
function whatBefore({ writes, replay }: WriteContext, step: string, { effect, failure }: Failed): Partial<Failed> {
  const requests = writes.of(step)
  if (requests.some(({ open }) => open.length > 0)) return { effect: 'unknown' }
  if (effect === 'done' || effect === 'unknown') return {}
  const changed = requests.map(({ address }) => replay.answer(address)).filter((answer) => answer !== undefined && answer.changed !== 'no')
  if (changed.length === 0) return {}
  const message = `${failure.message} Before that, ${changed.length} of its requests had changed something.`
  return { effect: 'done', failure: { ...failure, message } }
}
