import type { Bomb } from './bomb.ts'
import { type Blast, fireOne } from './fire.ts'
import { openRange, type Range } from './range.ts'

/** How often a long turn is measured again at most, in each of the two ways. */
const tries = 4

/** Runs three harmless playbooks. The first runs of a process compile code, and that time must not count for a bomb. */
export async function warmUp(range: Range): Promise<void> {
  for (let number = 0; number < 3; number += 1) await range.investigate({ playbook: 'steps:\n  - id: it\n    case: { note: x }\n' })
}

/** The longest turn of the best try, in milliseconds of user CPU time. */
export interface Again {
  /** In the same process. It is long if what happened earlier in the process makes the turn long. */
  readonly here: number
  /** In new processes, one for each try. It is long if the first time in a process is long. */
  readonly fresh: number
}

/**
 * Fires a bomb again after a long turn. On a busy virtual machine, the same work sometimes takes four times as much CPU
 * time (measured). So one long turn proves nothing. A bomb that is really slow is slow in every try.
 *
 * @param short a turn that takes less is short enough: what has had one is not tried again
 */
export async function fireAgain(range: Range, bomb: Bomb, short: number): Promise<Again> {
  const again = { here: Number.POSITIVE_INFINITY, fresh: Number.POSITIVE_INFINITY }
  for (let count = 0; count < tries; count += 1) {
    if (again.here >= short) again.here = Math.min(again.here, (await fireOne(range, bomb)).longestTurn)
    if (again.fresh >= short) again.fresh = Math.min(again.fresh, (await fireFresh(bomb)).longestTurn)
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
