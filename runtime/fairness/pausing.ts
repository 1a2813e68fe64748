import type { Turns } from './turns.ts'

/** Work that can pause. It yields wherever a pause is possible. */
export type Pausing<T> = Generator<void, T>

/** Runs such work to its end without a pause. */
export function atOnce<T>(work: Pausing<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/**
 * Runs such work in turns of the event loop, shared with others.
 * @param key the organization that the work is for
 */
export async function inTurns<T>(work: Pausing<T>, turns: Turns, key: string): Promise<T> {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    const turn = turns.next(key)
    if (turn) await turn
  }
}
