/** Where the lines of a text begin. */
export class Lines {
  readonly #starts: readonly number[]

  constructor(text: string) {
    const starts = [0]
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
    this.#starts = starts
  }

  /** The line and column, from 1, of the character at an offset, from 0. */
  at(offset: number): { readonly line: number; readonly column: number } {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: Math.max(offset, 0) - (this.#starts[low] ?? 0) + 1 }
  }

  /** The offset of the character at a line and column, as `at` returns them. */
  offset(line: number, column: number): number {
    return (this.#starts[line - 1] ?? 0) + column - 1
  }
}
