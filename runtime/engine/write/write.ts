import type { PreparedCall } from '../call/prepared-call.ts'
import { failureOutcome, successOf } from '../call/read.ts'
import { send, timeoutOf } from '../call/send-call.ts'
import { checkSameInput, type StepOutcome } from '../journal/step-outcome.ts'
import type { WriteContext } from '../run/contexts.ts'
import { outputFromAnswer } from './resolve-unknown-write.ts'
import { sendWrite } from './send-write.ts'
import { changeAfterRetries } from './write-attempt.ts'

/**
 * Sends the write of a skill without code. Its whole call is one write in the journal.
 * @throws RunFailed `journal_mismatch` if an earlier execution tried it with another input, and the errors of `sendWrite`
 */
export async function callWrite(execution: WriteContext, prepared: PreparedCall): Promise<StepOutcome> {
  const before = execution.writes.at(prepared.address)
  // The earlier write may have happened. Sending or probing this one would not show that.
  if (before) checkSameInput(prepared.address, before.last.digest, prepared.digest)
  const end = await sendWrite(execution, {
    prepared,
    place: prepared.address,
    digest: prepared.digest,
    timeout: timeoutOf(prepared),
    cancellable: true,
    describe: (unknown) => unknown,
    send: (sendBy) => send(execution, prepared, sendBy),
  })
  if (end.kind === 'settled') return end.outcome
  if (end.kind === 'happened') return { ok: true, output: outputFromAnswer(prepared.skill, end.output), at: execution.clock.now() }
  const { result, intent, at } = end
  return result.ok
    ? { ...successOf(result), at, ...changeAfterRetries(result.changed, intent.try) }
    : { ...failureOutcome(result, prepared.address), at }
}
