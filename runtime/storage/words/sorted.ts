/** How many texts are sorted or merged between two pauses: one or two milliseconds. */
const atOnce = 4_096

/**
 * Sorts texts by their code units, as `sort` does without a function. A segment may have a million terms, which takes a second. So this
 * yields every few milliseconds, so that the caller can do other work.
 */
export function* sorted(texts: Iterable<string>): Generator<void, readonly string[]> {
  let runs: (readonly string[])[] = []
  let run: string[] = []
  for (const text of texts) {
    run.push(text)
    if (run.length < atOnce) continue
    runs.push(run.sort())
    run = []
    yield
  }
  runs.push(run.sort())
  yield
  while (runs.length > 1) {
    const merged: (readonly string[])[] = []
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* mergedOf(runs[at] ?? [], runs[at + 1] ?? []))
    runs = merged
  }
  return runs[0] ?? []
}

function* mergedOf(left: readonly string[], right: readonly string[]): Generator<void, readonly string[]> {
  if (right.length === 0) return left
  const merged: string[] = []
  let [fromLeft, fromRight] = [0, 0]
  while (fromLeft < left.length || fromRight < right.length) {
    const takesLeft = fromRight === right.length || (fromLeft < left.length && left[fromLeft]! <= right[fromRight]!)
    merged.push(takesLeft ? left[fromLeft++]! : right[fromRight++]!)
    if (merged.length % atOnce === 0) yield
  }
  return merged
}
