/**
 * How many of the first items of a list fit into a page; the first always does.
 * @param sizes characters of each
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

/** Characters of the items of one page of a list, about and at most: what is read, sent and encoded in one go. */
export const pageCharacters = 4_194_304
