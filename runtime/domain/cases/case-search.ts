// biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII too
const ascii = /^[\u0000-\u007f]*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same
const beyondAscii = /[^\u0000-\u007f]/gu

/** Folds one character, as the patterns of MongoDB do: a character whose upper or lower case has several stays as it is. */
function foldCharacter(character: string): string {
  // Its upper case is I, but it is another letter.
  if (character === 'ı') return character
  const one = (folded: string, otherwise: string): string => ([...folded].length === 1 ? folded : otherwise)
  const upper = one(character.toUpperCase(), character)
  return one(upper.toLowerCase(), upper)
}

/**
 * Folds case for the search for cases, each character by itself, so that a part of a text stays a part of the folded text. Half a
 * surrogate pair is replaced, as every store does.
 */
export function foldCase(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return text
    .toWellFormed()
    .replace(beyondAscii, foldCharacter)
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/**
 * Returns whether each of these words is a part of one of the texts, in any case.
 * @param words folded by `foldCase`
 */
export function saysAll(words: readonly string[], texts: readonly string[]): boolean {
  const folded = texts.map(foldCase)
  return words.every((word) => folded.some((text) => text.includes(word)))
}
