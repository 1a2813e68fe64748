import type { Turns } from './turns.ts'

/** Work that yields where it may pause. */
export type Pausing<T> = Generator<void, T>

/** Does such work to its end without a pause. */
export function atOnce<T>(work: Pausing<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Does such work so that others get their turns of the event loop. @param key for whom: an organization */
export async function inTurns<T>(work: Pausing<T>, turns: Turns, key: string): Promise<T> {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    const turn = turns.next(key)
    if (turn) await turn
  }
}
