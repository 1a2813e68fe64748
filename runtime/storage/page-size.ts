/**
 * Returns how many items from the start of a list fit into a page. The first item always fits.
 * @param limit the most items
 * @param sizes characters of each item
 * @param characters the most characters of all items together
 */
export function fitting(sizes: readonly number[], limit: number, characters: number): number {
  let sum = 0
  let count = 0
  for (const size of sizes) {
    sum += size
    if (count === limit || (count > 0 && sum > characters)) break
    count += 1
  }
  return count
}

/** About how many characters one page of a list may have. A page is read, sent and encoded in one piece. */
export const pageCharacters = 4_194_304
