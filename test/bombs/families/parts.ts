/** Builders for large texts. */

export const mebibyte = 1024 * 1024

/** A JSON list of the same item over and over, with about this many characters. */
export function listOf(item: string, characters: number): string {
  const count = Math.max(1, Math.floor(characters / (item.length + 1)))
  return `[${`${item},`.repeat(count - 1)}${item}]`
}

/** A JSON object with this many fields of different names. */
export function fieldsOf(count: number, value = '0'): string {
  return `{${Array.from({ length: count }, (_, at) => `"k${at}":${value}`).join(',')}}`
}

/** This many different words. */
export function wordsOf(count: number): string {
  return Array.from({ length: count }, (_, at) => `w${((at * 7_919) % 1_000_000).toString(36)}`).join(' ')
}
