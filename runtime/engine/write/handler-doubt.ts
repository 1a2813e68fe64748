import type { CallFailure } from '../../plugin/index.ts'
import type { PreparedCall } from '../call/prepared-call.ts'
import { checkAlive } from '../failure/check-alive.ts'
import type { StepOutcome } from '../journal/step-outcome.ts'
import type { WriteContext } from '../run/contexts.ts'
import type { RecordedActs } from './handler-acts.ts'
import { resolveUnknownWrite } from './resolve-unknown-write.ts'
import { type UnknownWrite, unknownWriteAt } from './unknown-write.ts'

/** Why a handler does not come to a request again. */
type Why = Pick<CallFailure, 'code' | 'message'>

/**
 * Settles the requests in doubt of a handler that ended before it came to them again. It may not even have
 * started, because its connection has changed. Only the handler can send a request, so none is repeated: the
 * probe is asked, or people.
 * @param why why the handler does not come to them
 * @returns the outcome of the step, if it is known. Null: the journal says what the requests did
 * @throws Sleeping until a person has answered
 */
export async function settleRequests(execution: WriteContext, prepared: PreparedCall, acts: RecordedActs, why: Why): Promise<StepOutcome | null> {
  const { writes, journal, clock, signal } = execution
  const { idempotent } = prepared.skill.document
  // A probe that does not find a request settles it. That repeating is safe does not: the request cannot be repeated.
  const mayRepeat = !idempotent || idempotent.by === 'none'
  for (const { address } of writes.of(prepared.address)) {
    const doubt = unknownWriteAt(execution, address, null)
    if (!doubt) continue
    const resolved = await resolveUnknownWrite(execution, prepared, describe(doubt, why), { mayRepeat, told: false })
    checkAlive(signal)
    if (resolved.kind === 'settled') return resolved.outcome
    if (resolved.kind === 'happened') await acts.keepTold(address, doubt.last, doubt.last.try, resolved.output)
    else if (resolved.because === 'told') journal.defer({ kind: 'probed', address, try: doubt.last.try, happened: false, at: clock.now() })
  }
  return null
}

/** Names the request by its number, because only the handler knows what it sends. Says why it is not sent again. */
function describe(unknown: UnknownWrite, { code, message }: Why): UnknownWrite {
  const number = unknown.tries.address.split('#')[1] ?? ''
  const why = `request ${number}: ${unknown.failure.message} Its handler cannot continue: ${code}: ${message}`
  return { ...unknown, failure: { ...unknown.failure, message: why } }
}
