import { type Pausable, type Pause, pauseSentence, pausesOf, systemScope } from '../../domain/index.ts'
import type { Denial, PauseCheck } from '../../egress/index.ts'
import type { PauseLook } from '../../engine/index.ts'
import { messageOf } from '../../errors/index.ts'
import type { Store } from '../../storage/index.ts'

/** Returns the first pause in the store that stops this write. @throws the store's error */
export async function stoppedBy({ pauses }: Pick<Store, 'pauses'>, write: Pausable): Promise<Pause | null> {
  return pausesOf(await pauses.standing(systemScope), write)[0] ?? null
}

/**
 * Returns the check that runs right before a write leaves. The write is not sent if it is paused,
 * or if the store does not answer.
 * @param look a look for this write that was begun ahead. Absent: none was
 */
export function pauseCheckOf(store: Pick<Store, 'pauses'>, write: Pausable, look?: PauseLook): PauseCheck {
  const check = (): Promise<Denial | null> => denialOf(stoppedBy(store, write))
  if (!look) return check
  const stopped = look.standing.then((standing) => pausesOf(standing, write)[0] ?? null)
  return Object.assign(check, { ahead: { at: look.at, denial: denialOf(stopped) } })
}

async function denialOf(stopped: Promise<Pause | null>): Promise<Denial | null> {
  try {
    const pause = await stopped
    return pause && { code: 'paused', message: pauseSentence(pause), turnedAway: { pause: pause.id } }
  } catch (error) {
    return { code: 'store_unavailable', message: messageOf(error), turnedAway: { pause: null } }
  }
}
