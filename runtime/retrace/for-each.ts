/** What long work waits for before it goes on; null: it need not. */
export type Turn = () => Promise<void> | null

/** Items between which nobody is let in. */
const stride = 64

/** Does something with each item, and lets others in between: a run may have a hundred thousand steps. */
export async function forEachWithTurns<T>(items: Iterable<T>, turn: Turn, work: (item: T) => void): Promise<void> {
  let done = 0
  for (const item of items) {
    work(item)
    done += 1
    if (done % stride === 0) await (turn() ?? undefined)
  }
}
