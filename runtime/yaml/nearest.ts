/**
 * The candidate that a misspelt name most likely meant: at most a third of its letters differ (a swap of neighbours counts once).
 * Failing that, one that the name begins, or that begins the name (`user`, `username`). Undefined when none is near. The first of
 * equally near ones, so the same for the same candidates.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const all = [...candidates]
  const reach = Math.max(1, Math.floor(name.length / 3))
  let best: string | undefined
  let least = reach + 1
  for (const candidate of all) {
    if (Math.abs(candidate.length - name.length) >= least) continue
    const distance = distanceOf(name.toLowerCase(), candidate.toLowerCase())
    if (distance < least) {
      best = candidate
      least = distance
    }
  }
  return best ?? all.find((candidate) => Math.min(candidate.length, name.length) >= 3 && (candidate.startsWith(name) || name.startsWith(candidate)))
}

/** A name that is not known, and the one that was meant without doubt. */
export interface Misspelling {
  readonly name: string
  readonly meant: string
}

/** The misspelling where only one candidate is near, so that it may be put right without asking. */
export function misspelling(name: string, candidates: Iterable<string>): { readonly misspelt?: Misspelling } {
  const reach = Math.max(1, Math.floor(name.length / 3))
  const near = [...new Set(candidates)].filter((candidate) => distanceOf(name.toLowerCase(), candidate.toLowerCase()) <= reach)
  const [meant] = near
  return meant !== undefined && near.length === 1 ? { misspelt: { name, meant } } : {}
}

/** "; did you mean `x`?" for a message, or nothing. */
export function hint(name: string, candidates: Iterable<string>): string {
  const near = nearest(name, candidates)
  return near === undefined ? '' : `; did you mean \`${near}\`?`
}

/** Optimal string alignment: insertions, deletions, substitutions, swaps of neighbours. */
function distanceOf(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let value = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) value = Math.min(value, (before[j - 2] ?? 0) + 1)
      next.push(value)
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
