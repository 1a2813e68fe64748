import type { Bomb } from './bomb.ts'
import { type Blast, fireOne } from './fire.ts'
import { openRange, type Range } from './range.ts'

/** How often a long turn is measured again, in each of the two ways. */
const tries = 2

/** Runs three harmless playbooks. The first requests and runs of a process compile code, which must not count for a bomb. */
export async function warmUp(range: Range): Promise<void> {
  for (let number = 0; number < 3; number += 1) await range.investigate({ playbook: 'steps:\n  - id: it\n    case: { note: x }\n' })
}

/** The shortest of the longest turns that were measured again, in milliseconds. */
export interface Again {
  /** In the same process. Short: the turn is no longer after what happened in this process. */
  readonly here: number
  /** In new processes, each for one shot. Short: the turn is not long the first time. */
  readonly fresh: number
}

/**
 * Fires a bomb again after a long turn. On a busy virtual machine, the same work takes up to four times the CPU time, now
 * and then (measured). A turn that really is long is long every time, in the same process or in each new one.
 */
export async function fireAgain(range: Range, bomb: Bomb): Promise<Again> {
  const again = { here: Number.POSITIVE_INFINITY, fresh: Number.POSITIVE_INFINITY }
  for (let count = 0; count < tries; count += 1) {
    again.here = Math.min(again.here, (await fireOne(range, bomb)).longestTurn)
    again.fresh = Math.min(again.fresh, (await fireFresh(bomb)).longestTurn)
  }
  return again
}

async function fireFresh(bomb: Bomb): Promise<Blast> {
  const range = await openRange()
  try {
    await warmUp(range)
    return await fireOne(range, bomb)
  } finally {
    await range.close()
  }
}
