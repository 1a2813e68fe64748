// biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII too
const ascii = /^[\u0000-\u007f]*$/

/**
 * Folds case for the search for cases. A part of a text stays a part of the folded text. So it folds character by character: lower case
 * alone would depend on the position of a letter in its word (Σ), and upper case joins what lower case keeps apart (ß and SS). Half a surrogate
 * pair is replaced, as every store does.
 */
export function foldCase(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return text.toWellFormed().replaceAll('\u0130', 'i').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

/**
 * Returns whether each of these words is a part of one of the texts, in any case.
 * @param words folded by `foldCase`
 */
export function saysAll(words: readonly string[], texts: readonly string[]): boolean {
  const folded = texts.map(foldCase)
  return words.every((word) => folded.some((text) => text.includes(word)))
}
