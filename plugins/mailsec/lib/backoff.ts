/**
 * Milliseconds between checks of a search: short at first, because most searches are short, then
 * longer and longer.
 */
const firstPause = 1_000
const longestPause = 15_000

/**
 * Returns the pause before a check, or null if there is no time left. Checks count from 0.
 * @param left how many milliseconds may still be waited in all
 */
export function pauseBefore(look: number, left: number): number | null {
  if (left <= 0) return null
  return Math.min(firstPause * 2 ** Math.min(look, 10), longestPause, left)
}
