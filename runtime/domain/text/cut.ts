/**
 * Returns the beginning of a text, as long as `most` allows (in UTF-16 code units). It never ends with half of a character:
 * stores and JSON would replace that, and the text would no longer be the same.
 */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text
  const last = text.charCodeAt(most - 1)
  const isFirstHalf = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, isFirstHalf ? most - 1 : most)
}

/** Returns the text, or if it is longer than `most`, its beginning and `…`. */
export function cutText(text: string, most: number): string {
  return text.length > most ? `${beginningOf(text, most)}…` : text
}
