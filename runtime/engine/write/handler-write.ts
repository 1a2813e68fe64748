import type { CallResult } from '../../plugin/index.ts'
import type { PreparedCall } from '../call/prepared-call.ts'
import { failureOutcome, successOf } from '../call/read.ts'
import { send } from '../call/send-call.ts'
import { checkAlive } from '../failure/check-alive.ts'
import { RunFailed, Sleeping } from '../failure/signals.ts'
import type { StepOutcome } from '../journal/step-outcome.ts'
import type { WriteContext } from '../run/contexts.ts'
import { checkHandlerStarted } from '../run/wait-until.ts'
import { RecordedActs, StepSettled } from './handler-acts.ts'
import { settleRequests } from './handler-doubt.ts'
import { tellBegun } from './tell-begun.ts'

type Failed = Pick<Extract<StepOutcome, { ok: false }>, 'effect' | 'failure'>

/**
 * Why a handler that ended well has not come to a request again. Refusals are not recorded, so a request that
 * was refused before may be answered now, and the handler goes another way.
 */
const otherWay = { code: 'journal_mismatch', message: 'It ended without asking for this request again.' } as const

/**
 * Calls a write that is code. Each request has its own record, so the handler may start again at any point.
 * Answered requests are not sent again, refused ones are retried, and those in doubt are resolved.
 * @throws Sleeping if the handler found no free slot, or until a person has answered about a request in doubt
 */
export async function callHandlerWrite(execution: WriteContext, prepared: PreparedCall): Promise<StepOutcome> {
  try {
    return await callHandler(execution, prepared)
  } catch (error) {
    if (error instanceof Sleeping) await tellBegun(execution, prepared)
    throw error
  }
}

async function callHandler(execution: WriteContext, prepared: PreparedCall): Promise<StepOutcome> {
  checkAlive(execution.signal)
  const acts = new RecordedActs(execution, prepared)
  let result: CallResult
  try {
    result = await send(execution, prepared, null, acts)
  } catch (error) {
    if (error instanceof StepSettled) return error.outcome
    const settled = error instanceof RunFailed ? await settleRequests(execution, prepared, acts, error.failure) : null
    if (settled) return settled
    throw error
  }
  const ended = execution.clock.now()
  if (result.ok) return (await settleRequests(execution, prepared, acts, otherWay)) ?? { ...successOf(result), at: ended }
  checkAlive(execution.signal)
  // If it has begun, a cancellation does not wake it before a slot may be free.
  checkHandlerStarted(execution, result.failure, execution.writes.begun(prepared.address))
  const settled = await settleRequests(execution, prepared, acts, result.failure)
  if (settled) return settled
  const failed = failureOutcome(result, prepared.address)
  return { ...failed, ...whatBefore(execution, prepared.address, failed), at: execution.clock.now() }
}

/**
 * Returns what the requests of a failed handler did according to the journal, if that is more than the handler knows. It may have
 * failed before it asked for what an earlier execution has sent: its connection has changed, for example.
 */
function whatBefore({ writes, replay }: WriteContext, step: string, { effect, failure }: Failed): Partial<Failed> {
  if (effect === 'done' || effect === 'unknown') return {}
  const changed = writes.of(step).filter(({ address, happened }) => happened && replay.answer(address)?.changed !== 'no')
  if (changed.length === 0) return {}
  const message = `${failure.message} Before that, ${changed.length} of its requests had changed something.`
  return { effect: 'done', failure: { ...failure, message } }
}
