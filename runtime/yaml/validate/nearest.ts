/** The longest name that is compared. A longer one is not a misspelling by a letter or two. */
const longestName = 100

/**
 * Returns the candidate that a misspelt name most likely meant: at most a third of its letters differ (a swap of neighbours counts once).
 * If there is none, a candidate that starts with the name, or with which the name starts (`user`, `username`). Undefined if none is near.
 * Of equally near candidates, it returns the first.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > longestName) return undefined
  const all = [...candidates]
  let best: string | undefined
  let least = reachOf(name) + 1
  for (const candidate of all) {
    const distance = distanceOf(name, candidate, least - 1)
    if (distance < least) {
      best = candidate
      least = distance
    }
  }
  return best ?? all.find((candidate) => Math.min(candidate.length, name.length) >= 3 && (candidate.startsWith(name) || name.startsWith(candidate)))
}

/** An unknown name, and the one that was certainly meant. */
export interface Misspelling {
  readonly name: string
  readonly meant: string
}

/** Returns the misspelling, if only one candidate is near. Then a fix needs no question. */
export function misspelling(name: string, candidates: Iterable<string>): { readonly misspelt?: Misspelling } {
  if (name.length > longestName) return {}
  const reach = reachOf(name)
  const near = new Set<string>()
  for (const candidate of candidates) {
    if (distanceOf(name, candidate, reach) <= reach) near.add(candidate)
    if (near.size > 1) return {}
  }
  const [meant] = near
  return meant === undefined ? {} : { misspelt: { name, meant } }
}

/** How many letters of a name may be wrong. */
function reachOf(name: string): number {
  return Math.max(1, Math.floor(name.length / 3))
}

/** "; did you mean `x`?" for a message. Empty if no candidate is near. */
export function hint(name: string, candidates: Iterable<string>): string {
  const near = nearest(name, candidates)
  return near === undefined ? '' : `; did you mean \`${near}\`?`
}

/**
 * Returns the distance of two names (optimal string alignment), ignoring case: the number of insertions,
 * deletions, substitutions and swaps of neighbours. It stops early if the distance is more than `most`, and
 * then returns any number above `most`.
 */
function distanceOf(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  const [a, b] = [one.toLowerCase(), other.toLowerCase()]
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  let leastBefore = 0
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    let least = i
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let value = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) value = Math.min(value, (before[j - 2] ?? 0) + 1)
      next.push(value)
      least = Math.min(least, value)
    }
    // A swap reaches back two rows.
    if (least > most && leastBefore > most) return most + 1
    leastBefore = least
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
