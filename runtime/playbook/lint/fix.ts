import type { Edit, Finding, Fix } from '../findings/index.ts'

/** A text after fixes, and the fixes that were applied. */
export interface Fixed {
  readonly text: string
  readonly applied: readonly { readonly finding: Finding; readonly fix: Fix }[]
}

/** More rounds than any file needs. Each round must fix something. */
const maxRounds = 50

/**
 * Applies the fixes of findings until none is left, or a text repeats. Only the edited characters change: comments and layout stay.
 * @param lint returns the findings in a text
 */
export function applyFixes(text: string, lint: (text: string) => readonly Finding[]): Fixed {
  const applied: { finding: Finding; fix: Fix }[] = []
  const seen = new Set([text])
  let current = text
  for (let round = 0; round < maxRounds; round += 1) {
    const chosen = withoutOverlap(lint(current))
    const next = edited(
      current,
      chosen.flatMap(({ fix }) => fix.edits),
    )
    // Fixes that undo each other would go on for ever.
    if (chosen.length === 0 || seen.has(next)) break
    seen.add(next)
    applied.push(...chosen)
    current = next
  }
  return { text: current, applied }
}

/** Applies edits of the same text. They must not overlap. */
function edited(text: string, edits: readonly Edit[]): string {
  let result = ''
  let from = 0
  for (const { start, end, text: replacement } of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(from, start) + replacement
    from = end
  }
  return result + text.slice(from)
}

/** Chooses the fixes of this round. If two overlap or touch, only the first one in the file is chosen. A fix is never applied in part. */
function withoutOverlap(findings: readonly Finding[]): { finding: Finding; fix: Fix }[] {
  const taken: Edit[] = []
  return findings.flatMap((finding) => {
    const { fix } = finding
    if (fix === undefined || fix.edits.some((edit) => taken.some((other) => edit.start <= other.end && other.start <= edit.end))) return []
    taken.push(...fix.edits)
    return [{ finding, fix }]
  })
}
