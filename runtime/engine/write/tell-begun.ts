import type { PreparedCall } from '../call/prepared-call.ts'
import type { WriteContext } from '../run/contexts.ts'
import { shownTarget } from './resolve-unknown-write.ts'

/**
 * Tells the case what a handler has changed, before it waits for long. The line of its step comes only when the step
 * ends, which may be days later. It tells this once, because a handler may wait between all of its requests. For an
 * undo it tells nothing: its run says at the end what it has undone.
 */
export async function tellBegun(execution: WriteContext, { address, step, skill, connection, target }: PreparedCall): Promise<void> {
  const { run, writes, journal, clock } = execution
  const done = writes.of(address).filter(({ happened }) => happened).length
  if (done === 0 || run.undo) return
  // A line of a case must never say what the journal could still lose.
  await journal.settled()
  const what = `${step.integration}.${skill.id}${target === null ? '' : ` on ${shownTarget(target)}`} (${connection.instance})`
  const requests = `${done} of its requests that write ${done === 1 ? 'is' : 'are'} done`
  await execution.record(null, {
    key: `${run.id}#${address}/begun`,
    at: clock.now(),
    actor: { run: run.id, step: address },
    body: { kind: 'note', text: `${what} waits. ${requests}. The result follows when it ends.` },
  })
}
