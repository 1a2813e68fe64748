/** Texts that are made of a great deal of something. */

export const mebibyte = 1024 * 1024

/** A list of the same text, again and again, about so many characters long. */
export function listOf(item: string, characters: number): string {
  const count = Math.max(1, Math.floor(characters / (item.length + 1)))
  return `[${`${item},`.repeat(count - 1)}${item}]`
}

/** An object of so many fields with different names. */
export function fieldsOf(count: number, value = '0'): string {
  return `{${Array.from({ length: count }, (_, at) => `"k${at}":${value}`).join(',')}}`
}

/** Different words. */
export function wordsOf(count: number): string {
  return Array.from({ length: count }, (_, at) => `w${((at * 7_919) % 1_000_000).toString(36)}`).join(' ')
}
