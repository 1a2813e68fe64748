import type { Turns } from './turns.ts'

/** Work that can pause: it yields at each place where it may. */
export type Pausing<T> = Generator<void, T>

/** Runs such work to its end without a pause. */
export function atOnce<T>(work: Pausing<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Runs such work in turns of the event loop that it shares with others. @param key who the work is for: an organization */
export async function inTurns<T>(work: Pausing<T>, turns: Turns, key: string): Promise<T> {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    const turn = turns.next(key)
    if (turn) await turn
  }
}
