import type { PreparedCall } from '../call/prepared-call.ts'
import type { WriteContext } from '../run/contexts.ts'
import { shownTarget } from './resolve-unknown-write.ts'

/**
 * Tells the case that a handler has changed something, before it waits for long: the line of its step comes when the
 * step ends, which may be hours or days away. Tells it once, because a handler may wait between all of its requests.
 * An undo tells it at its end.
 */
export async function tellBegun(execution: WriteContext, { address, step, skill, connection, target }: PreparedCall): Promise<void> {
  const { run, writes, journal, clock } = execution
  const done = writes.of(address).filter(({ happened }) => happened).length
  if (done === 0 || run.undo) return
  // No line comes before its outcome is in the journal.
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
