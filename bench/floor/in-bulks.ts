/**
 * Collects what callers want until the event loop has handled what has arrived, and does it together.
 * @param together does all of it; the results have the order of the items
 */
export function inBulks<Item, Result>(together: (items: readonly Item[]) => Promise<readonly Result[]>): (item: Item) => Promise<Result> {
  interface Waiting {
    readonly item: Item
    readonly resolve: (result: Result) => void
    readonly reject: (error: unknown) => void
  }
  let waiting: Waiting[] = []
  const flush = async (): Promise<void> => {
    const all = waiting
    waiting = []
    try {
      const results = await together(all.map(({ item }) => item))
      for (const [index, { resolve }] of all.entries()) resolve(results[index] as Result)
    } catch (error) {
      for (const { reject } of all) reject(error)
    }
  }
  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ item, resolve, reject }) === 1) setImmediate(() => void flush())
    })
}
