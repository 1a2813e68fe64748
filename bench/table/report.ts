import { type Line, lines, type Measured } from './measure.ts'
import { median } from './median.ts'
import { eachLine, type Found } from './rounds.ts'

/** One subject compared with another: for each line, the median of the quotients of the rounds. */
export interface Ratio {
  readonly of: string
  readonly to: string
  readonly lines: Measured
}

/** Compares two subjects round by round. Returns nothing if one of them was not measured. */
export function ratiosOf(found: readonly Found[], of: string, to: string): readonly Ratio[] {
  const [one, other] = [of, to].map((wanted) => found.find(({ name }) => name === wanted)?.rounds)
  if (!one || !other) return []
  return [{ of, to, lines: eachLine((line) => median(one.map((measured, round) => measured[line] / (other[round]?.[line] ?? Number.NaN)))) }]
}

/** Returns the medians as a table, and then each ratio. */
export function textOf(found: readonly Found[], ratios: readonly Ratio[]): string {
  const heads = [...found.map(({ name }) => name), ...ratios.map(({ of, to }) => `${of} / ${to}`)]
  const rows = (Object.keys(lines) as Line[]).map((line) => {
    const { title, digits } = lines[line]
    const values = [...found.map(({ median }) => median[line].toFixed(digits)), ...ratios.map((ratio) => ratio.lines[line].toFixed(2))]
    return title.padEnd(58) + values.map((value, index) => value.padStart((heads[index]?.length ?? 0) + 3)).join('')
  })
  return [''.padEnd(58) + heads.map((head) => `   ${head}`).join(''), ...rows].join('\n')
}
