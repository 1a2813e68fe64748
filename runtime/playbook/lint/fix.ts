import type { Edit, Finding, Fix } from '../findings/index.ts'

/** A text after fixes, and what was done. */
export interface Fixed {
  readonly text: string
  readonly applied: readonly { readonly finding: Finding; readonly fix: Fix }[]
}

/** More rounds than any file needs: each must put something right. */
const maxRounds = 50

/**
 * Applies the fixes of findings until none is left, or none of them is new. Only the edited characters change: comments and layout stay.
 * @param lint what is wrong with a text
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
    // A text that was there before would come again for ever.
    if (chosen.length === 0 || seen.has(next)) break
    seen.add(next)
    applied.push(...chosen)
    current = next
  }
  return { text: current, applied }
}

/** Edits at offsets of the same text, none of which overlap. */
function edited(text: string, edits: readonly Edit[]): string {
  let result = ''
  let from = 0
  for (const { start, end, text: replacement } of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(from, start) + replacement
    from = end
  }
  return result + text.slice(from)
}

/** A fix is applied as a whole or not at all; of two that touch, the first of the file now and the other in the next round. */
function withoutOverlap(findings: readonly Finding[]): { finding: Finding; fix: Fix }[] {
  const taken: Edit[] = []
  return findings.flatMap((finding) => {
    const { fix } = finding
    if (fix === undefined || fix.edits.some((edit) => taken.some((other) => edit.start <= other.end && other.start <= edit.end))) return []
    taken.push(...fix.edits)
    return [{ finding, fix }]
  })
}
