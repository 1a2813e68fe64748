/**
 * Returns the beginning of a text: at most `most` UTF-16 code units. It never ends with half of a character, because stores
 * replace such a half with another character.
 */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text
  const last = text.charCodeAt(most - 1)
  const isFirstHalf = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, isFirstHalf ? most - 1 : most)
}

/** Returns the text. If it is longer than `most` UTF-16 code units, returns its beginning and `…`. */
export function cutText(text: string, most: number): string {
  return text.length > most ? `${beginningOf(text, most)}…` : text
}
