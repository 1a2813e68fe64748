import type { Pause } from '../../../domain/index.ts'
import type { PauseStore } from '../../port/index.ts'

/**
 * Keeps the active pauses of all organizations in memory. Every write asks twice whether it is paused, and only this process changes the pauses of
 * this store. What is kept is dropped when a change is sent, and when it is answered.
 * @param inOrder reads like `standing`, after every change that was sent before it. So a change that was sent, but could not be answered, is seen too
 */
export function keepStanding(pauses: PauseStore, inOrder: PauseStore['standing']): PauseStore & { readonly forget: () => void } {
  let kept: readonly Pause[] | null = null
  let changes = 0
  const forget = (): void => {
    kept = null
    changes += 1
  }
  const changing =
    <P extends unknown[], R>(change: (...parameters: P) => Promise<R>) =>
    async (...parameters: P): Promise<R> => {
      forget()
      try {
        return await change(...parameters)
      } finally {
        forget()
      }
    }
  return {
    ...pauses,
    forget,
    begin: changing(pauses.begin),
    end: changing(pauses.end),
    async standing(scope) {
      if (scope.organizations !== 'all') return pauses.standing(scope)
      if (kept !== null) return kept
      const before = changes
      try {
        const found = await inOrder(scope)
        if (changes === before) kept = found
        return found
      } catch {
        // While nothing can be written, the pauses can still be read.
        return pauses.standing(scope)
      }
    },
  }
}
