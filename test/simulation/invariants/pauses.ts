import type { Millis } from '../../../runtime/domain/index.ts'
import type { Stood } from '../actors/pauses.ts'
import type { Arrival } from '../actors/system.ts'
import type { Evidence } from './evidence.ts'
import type { Written } from './written.ts'

/** A write that passed the pause check must leave within this time (docs/reference/guarantees/writes.md). */
const leavesWithin: Millis = 500

/**
 * Checks that a write which leaves during a pause passed the pause check before it began. It may leave at
 * most half a second later, plus the time for which it had waited for its connection. That wait cannot have
 * begun before its intent.
 */
export function judgePaused({ world, pauses, scenario }: Evidence, step: Written, { leftAt }: Arrival): void {
  const apart = 2 * scenario.skew
  const intent = step.intents.findLast(({ at }) => at <= leftAt + apart)
  if (!intent) return
  for (const stood of pauses.stood) {
    if (leftAt < stood.from || leftAt >= stood.until || !covers(stood, step)) continue
    const waited = Math.max(stood.from - intent.at, 0)
    if (leftAt > stood.from + leavesWithin + waited + apart)
      world.fail(
        `${step.life.run.id} ${step.address} left ${leftAt - stood.from} ms after somebody was told that it is paused (${stood.target.kind})`,
      )
  }
}

/**
 * Returns whether a pause covers a write. Everything belongs to one organization and uses one connection. An
 * undo does not belong to the playbook of its run.
 */
function covers({ target }: Stood, { life, address }: Written): boolean {
  if (target.kind !== 'playbook') return true
  return !life.run.undo && (target.playbook === 'test' || address.endsWith('/again'))
}
