/** Caches where the lines of the last text begin, because Liquid asks about the same template many times in a row. */
let last: { readonly text: string; readonly starts: readonly number[] } = { text: '', starts: [0] }

/** Line and column of an offset, from 1. */
export function positionIn(text: string, offset: number): [line: number, column: number] {
  if (last.text !== text) last = { text, starts: lineStarts(text) }
  const { starts } = last
  let [low, high] = [0, starts.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle
  }
  return [low + 1, offset - (starts[low] ?? 0) + 1]
}

/** Returns the offset at which each line begins. */
export function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
