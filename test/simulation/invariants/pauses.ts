import type { Millis } from '../../../runtime/domain/index.ts'
import type { Stood } from '../actors/pauses.ts'
import type { Arrival } from '../actors/system.ts'
import type { Evidence } from './evidence.ts'
import type { Written } from './written.ts'

/** A write that passed the pause check must leave within this time (docs/reference/guarantees/writes.md). */
const leavesWithin: Millis = 500

/**
 * What leaves while a pause stands had been let go before it: by at most half a second, and the time that it had waited for its connection by then,
 * which it cannot have done before its intent.
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

/** Everything is of one organization, and uses one connection. Undoing a run is not of its playbook. */
function covers({ target }: Stood, { life, address }: Written): boolean {
  if (target.kind !== 'playbook') return true
  return !life.run.undo && (target.playbook === 'test' || address.endsWith('/again'))
}
