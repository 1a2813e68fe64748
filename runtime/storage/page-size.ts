/**
 * How many items from the start of a list fit into a page. The first item always fits.
 * @param sizes characters of each item
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

/** About how many characters one page of a list may have, because it is read, sent and encoded in one piece. */
export const pageCharacters = 4_194_304
