import { createTwoFilesPatch, formatPatch } from 'diff'
import type { Digest } from '../../domain/index.ts'

/** A text to compare. */
export interface Version {
  readonly name: string
  readonly text: string
  readonly digest: Digest
}

/** The difference between two texts. */
export interface Difference {
  /** A unified diff; empty if the texts are equal. */
  readonly diff: string
  /** False if too much differs to find the shortest diff. Then the diff replaces everything from the first changed line to the last. */
  readonly shortest: boolean
}

/** The most added and removed lines for which we look for the shortest diff. Time and memory grow with their square. */
const mostEdits = 2_000
const context = 3

export function differenceOf(from: Version, to: Version): Difference {
  if (from.text === to.text) return { diff: '', shortest: true }
  const diff = createTwoFilesPatch(from.name, to.name, from.text, to.text, from.digest, to.digest, { maxEditLength: mostEdits })
  return diff === undefined ? { diff: replaced(from, to), shortest: false } : { diff, shortest: true }
}

function replaced(from: Version, to: Version): string {
  const [a, b] = [linesOf(from.text), linesOf(to.text)]
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  let same = 0
  while (same < Math.min(a.length, b.length) - start && a.at(-1 - same) === b.at(-1 - same)) same += 1
  const before = a.slice(Math.max(start - context, 0), start)
  const after = a.slice(a.length - same, a.length - same + context)
  const [removed, added] = [a.slice(start, a.length - same), b.slice(start, b.length - same)]
  const around = before.length + after.length
  const hunk = {
    oldStart: start - before.length + 1,
    oldLines: around + removed.length,
    newStart: start - before.length + 1,
    newLines: around + added.length,
    lines: [...marked(' ', before), ...marked('-', removed), ...marked('+', added), ...marked(' ', after)],
  }
  return formatPatch({ oldFileName: from.name, newFileName: to.name, oldHeader: from.digest, newHeader: to.digest, hunks: [hunk] })
}

/** Returns the lines with their line ends. The last line may have none. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function marked(mark: string, lines: readonly string[]): string[] {
  return lines.flatMap((line) => (line.endsWith('\n') ? [`${mark}${line.slice(0, -1)}`] : [`${mark}${line}`, '\\ No newline at end of file']))
}
