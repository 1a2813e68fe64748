/** Builders for large texts. */

export const mebibyte = 1024 * 1024

/** Returns a JSON list that repeats an item up to about this many characters. */
export function listOf(item: string, characters: number): string {
  const count = Math.max(1, Math.floor(characters / (item.length + 1)))
  return `[${`${item},`.repeat(count - 1)}${item}]`
}

/** Returns a JSON object with this many fields, each with its own name. */
export function fieldsOf(count: number, value = '0'): string {
  return `{${Array.from({ length: count }, (_, at) => `"k${at}":${value}`).join(',')}}`
}

/** Returns this many different words. */
export function wordsOf(count: number): string {
  return Array.from({ length: count }, (_, at) => `w${((at * 7_919) % 1_000_000).toString(36)}`).join(' ')
}
