/** Milliseconds before the looks at a search: soon at first, as most searches are short, then ever more seldom. */
const firstPause = 1_000
const longestPause = 15_000

/**
 * The pause before a look, counted from 0.
 * @param left milliseconds that may still be waited in all
 * @returns null when there is no time left to wait
 */
export function pauseBefore(look: number, left: number): number | null {
  if (left <= 0) return null
  return Math.min(firstPause * 2 ** Math.min(look, 10), longestPause, left)
}
