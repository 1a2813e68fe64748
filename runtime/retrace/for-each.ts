/** Long work calls this between its parts and waits for the result before it goes on. Null: no need to wait. */
export type Turn = () => Promise<void> | null

/** How many items are handled before the next possible pause. */
const stride = 64

/** Handles each item, and gives up the event loop now and then, because a run may have a hundred thousand steps. */
export async function forEachWithTurns<T>(items: Iterable<T>, turn: Turn, work: (item: T) => void): Promise<void> {
  let done = 0
  for (const item of items) {
    work(item)
    done += 1
    if (done % stride === 0) await (turn() ?? undefined)
  }
}
