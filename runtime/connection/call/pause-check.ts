import { type Pausable, type Pause, pauseSentence, pausesOf, systemScope } from '../../domain/index.ts'
import type { PauseCheck } from '../../egress/index.ts'
import { messageOf } from '../../errors/index.ts'
import type { Store } from '../../storage/index.ts'

/** Returns the first pause in the store that stops this write. @throws the store's error */
export async function stoppedBy({ pauses }: Pick<Store, 'pauses'>, write: Pausable): Promise<Pause | null> {
  return pausesOf(await pauses.standing(systemScope), write)[0] ?? null
}

/**
 * Returns the check that runs right before a write leaves. The write is not sent if it is paused,
 * or if the store does not answer.
 */
export function pauseCheckOf(store: Pick<Store, 'pauses'>, write: Pausable): PauseCheck {
  return async () => {
    try {
      const pause = await stoppedBy(store, write)
      return pause && { code: 'paused', message: pauseSentence(pause), turnedAway: { pause: pause.id } }
    } catch (error) {
      return { code: 'store_unavailable', message: messageOf(error), turnedAway: { pause: null } }
    }
  }
}
